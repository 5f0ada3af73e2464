#pragma once
// Strings that stand in a text as they are, without quotation marks and escapes, up to a marker. Immutable,
// any thread, never fails.

#include <memory>
#include <string>
#include <vector>

#include "inference/grammar/lexeme.h"
#include "inference/grammar/schema_parts.h"

namespace parley::inference::grammar {

// `first`, any white space of JSON, `second`.
struct TextSequence {
  std::string first;
  std::string second;
};

// Any UTF-8 text that holds none of the sequences.
std::shared_ptr<const Lexeme> make_text_without(const std::vector<TextSequence>& sequences);

// Of the strings in `any` those that the parts' lengths, patterns and formats admit. Null: there is none. A
// limit that is too large to be enforced is reported.
std::shared_ptr<const Lexeme> make_limited_text(std::shared_ptr<const Lexeme> any, const SchemaParts& parts,
                                                UncheckedList& unchecked, SchemaBudget& budget);
bool has_string_limits(const SchemaParts& parts);

}  // namespace parley::inference::grammar
