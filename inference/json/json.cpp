#include "inference/json/json.h"

#include <simdjson.h>

#include <algorithm>
#include <optional>
#include <utility>
#include <vector>

#include "inference/json/json_numbers.h"

namespace parley::inference::json {
namespace {

namespace dom = simdjson::dom;

constexpr std::size_t kMinCapacity = 64;

JsonError error_of(JsonError::Kind kind, std::string message) {
  return JsonError{.kind = kind, .key = {}, .message = std::move(message)};
}

JsonError describe(simdjson::error_code code, std::string_view text, const JsonLimits& limits) {
  if (code == simdjson::CAPACITY) {
    return error_of(JsonError::Kind::too_large,
                    "The JSON text is larger than " + std::to_string(limits.max_bytes) + " bytes.");
  }
  if (code == simdjson::DEPTH_ERROR) {
    return error_of(JsonError::Kind::too_deep,
                    "The JSON text is nested deeper than " + std::to_string(limits.max_depth) + " levels.");
  }
  // NaN and Infinity are what a careless client writes; naming the field helps more than "not JSON".
  if (auto bad = find_bad_number(text)) {
    JsonError error = error_of(JsonError::Kind::not_a_number,
                               "A number is not one that JSON and a 64-bit float can hold (such as NaN, "
                               "Infinity or 1e999).");
    error.key = std::move(*bad);
    return error;
  }
  if (code == simdjson::UTF8_ERROR) {
    return error_of(JsonError::Kind::not_json, "The text is not valid UTF-8.");
  }
  if (code == simdjson::STRING_ERROR) {
    return error_of(
        JsonError::Kind::not_json,
        "A string holds a bad escape or half of a surrogate pair, so the text is not valid JSON.");
  }
  return error_of(JsonError::Kind::not_json, "The text is not valid JSON.");
}

std::optional<std::string> repeated_key(const dom::object& object) {
  std::vector<std::string_view> keys;
  keys.reserve(object.size());
  for (dom::key_value_pair field : object) keys.push_back(field.key);
  std::sort(keys.begin(), keys.end());
  const auto twin = std::adjacent_find(keys.begin(), keys.end());
  if (twin == keys.end()) return std::nullopt;
  return std::string(*twin);
}

// Copies the parsed tree; stops at the first repeated key. Depth is bounded by the parser.
class Converter {
 public:
  JsonValue convert(dom::element element) {
    switch (element.type()) {
      case dom::element_type::ARRAY:
        return convert_array(dom::array(element));
      case dom::element_type::OBJECT:
        return convert_object(dom::object(element));
      case dom::element_type::STRING:
        return JsonValue(std::string_view(element));
      case dom::element_type::INT64:
        return JsonValue(std::int64_t(element));
      case dom::element_type::UINT64:
        return JsonValue(std::uint64_t(element));
      case dom::element_type::DOUBLE:
        return JsonValue(double(element));
      case dom::element_type::BOOL:
        return JsonValue(bool(element));
      case dom::element_type::NULL_VALUE:
        break;
    }
    return JsonValue(nullptr);
  }

  const std::optional<std::string>& repeated() const { return repeated_; }

 private:
  JsonValue convert_array(dom::array elements) {
    JsonArray array;
    array.reserve(elements.size());
    for (dom::element element : elements) {
      if (repeated_) break;
      array.push_back(convert(element));
    }
    return array;
  }

  JsonValue convert_object(dom::object fields) {
    JsonObject object;
    repeated_ = repeated_key(fields);
    object.reserve(fields.size());
    for (dom::key_value_pair field : fields) {
      if (repeated_) break;
      object.emplace(field.key, convert(field.value));
    }
    return object;
  }

  std::optional<std::string> repeated_;
};

}  // namespace

std::variant<JsonValue, JsonError> parse_json(std::string_view text, const JsonLimits& limits) {
  if (text.size() > limits.max_bytes) return describe(simdjson::CAPACITY, text, limits);
  dom::parser parser;
  const std::size_t capacity = std::max(text.size(), kMinCapacity);
  if (const auto code = parser.allocate(capacity, limits.max_depth)) return describe(code, text, limits);
  dom::element root;
  if (const auto code = parser.parse(text.data(), text.size(), /*realloc_if_needed=*/true).get(root)) {
    return describe(code, text, limits);
  }
  Converter converter;
  JsonValue value = converter.convert(root);
  if (converter.repeated()) {
    JsonError error = error_of(JsonError::Kind::duplicate_key, "An object holds the same key twice.");
    error.key = *converter.repeated();
    return error;
  }
  return value;
}

}  // namespace parley::inference::json
