#pragma once
// What is wrong with a value, or with a schema, in words. Plain values; functions are pure, any thread.

#include <string>
#include <string_view>

namespace parley::inference::json_schema {

// The keyword of the one violation that says that a check was given up.
inline constexpr std::string_view kTooComplex = "too complex";

struct Violation {
  std::string place;     // JSON pointer (RFC 6901) into the instance; of a missing property: where it belongs
  std::string keyword;   // "required"; "false" for a place where the schema allows nothing
  std::string sentence;  // continues "`place` …": "is required", "3.5 is not an integer"
};

struct SchemaError {
  std::string place;    // JSON pointer into the schema
  std::string message;  // a sentence
};

// "`items[0].city`: is required"; for the whole value the sentence alone.
std::string to_text(const Violation& violation);
std::string to_text(const SchemaError& error);

// "/items/0/city" as items[0].city: what people and models write. Long places are cut in the middle.
std::string readable_place(std::string_view pointer);

}  // namespace parley::inference::json_schema
