#pragma once
// Reading fields of JSON objects that a stranger wrote. Plain functions, any thread; a field that is missing
// or of another type is empty or null, never a failure. What is handed out as a view or a pointer lives as
// long as the object.

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "inference/json/json.h"

namespace parley::inference::json {

inline const JsonObject* object_field(const JsonObject& object, std::string_view key) {
  const JsonValue* value = object.if_contains(key);
  return value == nullptr ? nullptr : value->if_object();
}

inline const JsonArray* array_field(const JsonObject& object, std::string_view key) {
  const JsonValue* value = object.if_contains(key);
  return value == nullptr ? nullptr : value->if_array();
}

inline std::string_view text_view(const JsonObject& object, std::string_view key) {
  const JsonValue* value = object.if_contains(key);
  return value != nullptr && value->is_string() ? std::string_view(value->get_string()) : std::string_view();
}

inline std::string text_field(const JsonObject& object, std::string_view key) {
  return std::string(text_view(object, key));
}

inline std::optional<double> number_field(const JsonObject& object, std::string_view key) {
  const JsonValue* value = object.if_contains(key);
  if (value == nullptr || !value->is_number()) return std::nullopt;
  return value->to_number<double>();
}

// A whole number; nullopt for anything else.
inline std::optional<std::int64_t> integer_field(const JsonObject& object, std::string_view key) {
  const JsonValue* value = object.if_contains(key);
  if (value == nullptr || !value->is_int64()) return std::nullopt;
  return value->get_int64();
}

inline bool is_true(const JsonObject& object, std::string_view key) {
  const JsonValue* value = object.if_contains(key);
  return value != nullptr && value->is_bool() && value->get_bool();
}

}  // namespace parley::inference::json
