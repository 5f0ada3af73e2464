#include "app/protocol/field_reader.h"

#include <array>
#include <cmath>
#include <cstdio>
#include <utility>

#include "orchestration/turn/uuid.h"

namespace parley::app::protocol {
namespace {

using inference::json::JsonArray;
using inference::json::JsonObject;
using inference::json::JsonValue;

// The whole number that a JSON number stands for: 3 and 3.0 are 3, 3.5 and 1e30 are none.
std::optional<std::int64_t> whole_number(const JsonValue& value) {
  if (const auto* number = value.if_int64()) return *number;
  if (const auto* number = value.if_uint64()) {
    if (*number > static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max())) return std::nullopt;
    return static_cast<std::int64_t>(*number);
  }
  const auto* number = value.if_double();
  if (number == nullptr || std::trunc(*number) != *number || std::abs(*number) >= 0x1p63) return std::nullopt;
  return static_cast<std::int64_t>(*number);
}

std::optional<double> any_number(const JsonValue& value) {
  if (const auto* number = value.if_double()) return *number;
  if (const auto* number = value.if_int64()) return static_cast<double>(*number);
  if (const auto* number = value.if_uint64()) return static_cast<double>(*number);
  return std::nullopt;
}

std::string short_number(double number) {
  std::array<char, 32> text{};
  std::snprintf(text.data(), text.size(), "%.6g", number);
  return text.data();
}

std::string range_text(IntegerRange range) {
  if (range.max == std::numeric_limits<std::int64_t>::max()) {
    if (range.min == std::numeric_limits<std::int64_t>::min()) return "must be a whole number of 64 bits";
    return "must be a whole number of at least " + std::to_string(range.min);
  }
  return "must be a whole number from " + std::to_string(range.min) + " to " + std::to_string(range.max);
}

}  // namespace

FieldReader::FieldReader(const JsonObject& object, std::string path)
    : object_(object), path_(std::move(path)) {}

bool FieldReader::is_present(std::string_view name) const { return object_.if_contains(name) != nullptr; }

const JsonValue* FieldReader::find(std::string_view name) const {
  const JsonValue* value = object_.if_contains(name);
  return value != nullptr && value->is_null() ? nullptr : value;
}

const JsonValue* FieldReader::require(std::string_view name) {
  const JsonValue* value = find(name);
  if (value == nullptr) refuse(name, "is missing");
  return value;
}

std::string FieldReader::path_of(std::string_view name) const {
  return path_.empty() ? std::string(name) : path_ + "." + std::string(name);
}

void FieldReader::refuse(std::string_view name, std::string_view problem) {
  if (error_) return;
  FieldError error;
  error.field = path_of(name);
  error.message = "`" + error.field + "` " + std::string(problem) + ".";
  error_ = std::move(error);
}

void FieldReader::adopt(const std::optional<FieldError>& error) {
  if (!error_) error_ = error;
}

std::string FieldReader::text(std::string_view name) {
  return require(name) == nullptr ? std::string() : optional_text(name).value_or("");
}

std::string FieldReader::uuid(std::string_view name) {
  return require(name) == nullptr ? std::string() : optional_uuid(name).value_or("");
}

std::int64_t FieldReader::integer(std::string_view name, IntegerRange range) {
  return require(name) == nullptr ? range.min : optional_integer(name, range).value_or(range.min);
}

std::optional<std::string> FieldReader::optional_text(std::string_view name) {
  const JsonValue* value = find(name);
  if (value == nullptr) return std::nullopt;
  if (const auto* text = value->if_string()) return std::string(*text);
  refuse(name, "must be a string");
  return std::nullopt;
}

std::optional<std::string> FieldReader::optional_uuid(std::string_view name) {
  auto text = optional_text(name);
  if (text && !orchestration::turn::is_uuid(*text)) {
    refuse(name, "must be a UUID in lower case");
    return std::nullopt;
  }
  return text;
}

std::optional<std::int64_t> FieldReader::optional_integer(std::string_view name, IntegerRange range) {
  const JsonValue* value = find(name);
  if (value == nullptr) return std::nullopt;
  const auto number = whole_number(*value);
  if (number && *number >= range.min && *number <= range.max) return number;
  refuse(name, range_text(range));
  return std::nullopt;
}

std::optional<double> FieldReader::optional_number(std::string_view name, NumberRange range) {
  const JsonValue* value = find(name);
  if (value == nullptr) return std::nullopt;
  const auto number = any_number(*value);
  // Written so that NaN fails too.
  if (number && *number >= range.min && *number <= range.max) return number;
  refuse(name, "must be a number from " + short_number(range.min) + " to " + short_number(range.max));
  return std::nullopt;
}

std::optional<bool> FieldReader::optional_flag(std::string_view name) {
  const JsonValue* value = find(name);
  if (value == nullptr) return std::nullopt;
  if (const bool* flag = value->if_bool()) return *flag;
  refuse(name, "must be true or false");
  return std::nullopt;
}

const JsonObject* FieldReader::optional_object(std::string_view name) {
  const JsonValue* value = find(name);
  if (value == nullptr) return nullptr;
  if (!value->is_object()) refuse(name, "must be an object");
  return value->if_object();
}

const JsonArray* FieldReader::optional_array(std::string_view name) {
  const JsonValue* value = find(name);
  if (value == nullptr) return nullptr;
  if (!value->is_array()) refuse(name, "must be an array");
  return value->if_array();
}

void FieldReader::each_object(std::string_view name, const JsonArray& array,
                              const std::function<void(FieldReader&)>& read) {
  for (std::size_t i = 0; i < array.size() && !error_; ++i) {
    const std::string place = std::string(name) + "[" + std::to_string(i) + "]";
    const JsonObject* object = array[i].if_object();
    if (object == nullptr) return refuse(place, "must be an object");
    FieldReader element(*object, path_of(place));
    read(element);
    adopt(element.error());
  }
}

}  // namespace parley::app::protocol
