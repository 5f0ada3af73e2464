#pragma once
// Arguments as tags, one pair for each: <parameter=K>V</parameter>,
// <arg_key>K</arg_key><arg_value>V</arg_value>, <parameter name="K" string="true">V</parameter>. Strings
// stand between their tags as they are, other values are JSON.

#include <memory>
#include <string>
#include <vector>

#include "inference/grammar/notation.h"
#include "inference/grammar/raw_strings.h"

namespace parley::inference::grammar {

struct ArgumentTags {
  std::string open = {};         // <parameter=
  std::string name_end = {};     // >
  std::string value_open = {};   // behind name_end, white space between: <arg_value>
  std::string value_close = {};  // </parameter>
  bool in_newlines = false;      // a value has one on each side
  bool tells_strings = false;    // string="true"> or string="false"> stands behind name_end
  // What ends a value for who reads it. A value may hold the text of a closing tag, but none of these.
  std::vector<TextSequence> ends = {};
};

std::unique_ptr<Notation> make_tagged_notation(const ArgumentTags& tags, GrammarBuilder& builder,
                                               const VocabularyIndex& vocabulary);

}  // namespace parley::inference::grammar
