#pragma once
// How a JSON Schema is turned into a grammar, and what came of it. Plain values.

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "inference/grammar/grammar.h"

namespace parley::inference::grammar {

// Members of the outermost object that the schema does not name, where it says nothing about them. JSON
// Schema allows them; for a tool's parameters they are arguments that the model invents.
enum class OtherMembers : std::uint8_t { allowed, forbidden_at_top };

// What the outermost value is, whatever the schema says: arguments of a tool are an object.
enum class SchemaRoot : std::uint8_t { any_value, object };

class Notation;

struct SchemaOptions {
  SchemaRoot root = SchemaRoot::any_value;
  OtherMembers other_members = OtherMembers::allowed;
  std::uint32_t max_white_space = kUsualWhiteSpace;  // in a row
  Notation* notation =
      nullptr;  // how values are written; null: as JSON. Only for add_schema, with its builder.
  std::size_t max_nodes = 50000;
  std::chrono::milliseconds max_time{500};
  std::size_t max_memory = std::size_t{32} << 20;  // of what is made, an estimate
};

// A part of a schema that the grammar does not enforce. What it makes is valid but for this, so it has to be
// checked when the text is finished.
struct UncheckedKeyword {
  std::string place;  // JSON pointer behind a #
  std::string keyword;
  std::string reason;
  friend bool operator==(const UncheckedKeyword&, const UncheckedKeyword&) = default;
};

// The keyword of a property that the notation has no way to write, so that it is left out.
inline constexpr const char* kUnwritableName = "its name";

struct SchemaGrammar {
  std::shared_ptr<const Grammar> grammar;  // shared by all requests that use it
  std::vector<UncheckedKeyword> unchecked;
};

struct GrammarError {
  std::string message;  // sentences
};

}  // namespace parley::inference::grammar
