#pragma once
// JSON that comes in: parsed by simdjson (whole text validated, bounded depth, no duplicate keys) and handed
// on as Boost.JSON values, which are also what answers are built from (json_writer.h). Plain functions, any
// thread. Bad text is a JsonError value; nothing here throws for it.

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <variant>

#include <boost/json/array.hpp>
#include <boost/json/object.hpp>
#include <boost/json/value.hpp>

namespace parley::inference::json {

using JsonValue = boost::json::value;
using JsonObject = boost::json::object;
using JsonArray = boost::json::array;

struct JsonLimits {
  std::size_t max_bytes = 0;
  std::size_t max_depth = 64;  // of nested arrays and objects
};

struct JsonError {
  enum class Kind : std::uint8_t { not_json, too_large, too_deep, duplicate_key, not_a_number };
  Kind kind = Kind::not_json;
  std::string key;  // where one is to blame: the repeated key, the field with NaN or a number out of range
  std::string message;  // a sentence that says what is wrong
};

std::variant<JsonValue, JsonError> parse_json(std::string_view text, const JsonLimits& limits);

}  // namespace parley::inference::json
