#pragma once
// How a family writes the arguments of a call where that is not JSON: what SchemaCompiler asks while it walks
// a schema. One object per grammar, used by one thread: it adds nodes to the grammar's builder. Never fails;
// what it cannot enforce it reports.

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "inference/grammar/grammar_builder.h"
#include "inference/grammar/schema_parts.h"
#include "inference/grammar/schema_scalars.h"

namespace parley::inference::grammar {

enum class SchemaLevel : std::uint8_t {
  top,     // the outermost value
  member,  // a value of the outermost object; to JSON the same as those inside it
  inner,
};

// What else than a string a value may be.
enum class OtherTypes : std::uint8_t { none, some };

class Notation {
 public:
  virtual ~Notation() = default;

  // False: values of this level, and what is in them, are JSON.
  virtual bool applies(SchemaLevel level) const = 0;

  // Whether objects of this level have keys of another form than JSON's: then shape() gives an object its
  // marks and its keys, whose names stand in Grammar::Key::quoted.
  virtual bool forms_keys(SchemaLevel level) const = 0;
  virtual void shape(Grammar::Object& object, SchemaLevel level) = 0;
  virtual bool can_write_key(std::string_view name, SchemaLevel level) const = 0;
  // Keys other than these, of an object that has keys of another form; in one or several ways.
  virtual std::vector<std::shared_ptr<const Lexeme>> other_keys(std::span<const std::string> declared,
                                                                SchemaLevel level) = 0;

  // null, true or false.
  virtual std::vector<std::string> spellings(std::string_view word) const = 0;
  // Any string that the parts' limits admit.
  virtual std::vector<NodeId> strings(const SchemaParts& parts, SchemaScalars& scalars,
                                      UncheckedList& unchecked) = 0;
  // One of these strings; those that cannot be told from another value are reported.
  virtual std::vector<NodeId> string_values(const std::vector<std::string>& values, OtherTypes others,
                                            const SchemaPart& part, SchemaScalars& scalars,
                                            UncheckedList& unchecked) = 0;
  virtual NodeId any_value(SchemaLevel level) = 0;
  // Whether a text without a mark is read as a string only if it looks like nothing else.
  virtual bool tells_by_looks() const { return false; }
  // A value that is one of the strings or one of the other nodes.
  virtual std::vector<NodeId> value(std::vector<NodeId> strings, std::vector<NodeId> others) {
    strings.insert(strings.end(), others.begin(), others.end());
    return strings;
  }
};

}  // namespace parley::inference::grammar
