#include "inference/json_schema/json_pointer.h"

#include <charconv>

namespace parley::inference::json_schema {
namespace {

std::optional<std::string> unescaped_step(std::string_view step) {
  std::string key;
  for (std::size_t i = 0; i < step.size(); ++i) {
    if (step[i] != '~') {
      key += step[i];
      continue;
    }
    const char code = ++i < step.size() ? step[i] : '\0';
    if (code != '0' && code != '1') return std::nullopt;
    key += code == '0' ? '~' : '/';
  }
  return key;
}

}  // namespace

void append_pointer_step(std::string& pointer, std::string_view key) {
  pointer += '/';
  for (const char c : key) {
    if (c == '~') {
      pointer += "~0";
    } else if (c == '/') {
      pointer += "~1";
    } else {
      pointer += c;
    }
  }
}

std::optional<std::vector<std::string>> pointer_steps(std::string_view pointer) {
  std::vector<std::string> steps;
  while (!pointer.empty()) {
    if (pointer.front() != '/') return std::nullopt;
    const std::size_t end = std::min(pointer.find('/', 1), pointer.size());
    auto key = unescaped_step(pointer.substr(1, end - 1));
    if (!key) return std::nullopt;
    steps.push_back(std::move(*key));
    pointer = pointer.substr(end);
  }
  return steps;
}

const json::JsonValue* step_into(const json::JsonValue& value, std::string_view step) {
  if (const json::JsonObject* object = value.if_object()) return object->if_contains(step);
  const json::JsonArray* array = value.if_array();
  std::size_t index = 0;
  const char* end = step.data() + step.size();
  const bool leading_zero = step.size() > 1 && step.front() == '0';
  if (!array || leading_zero) return nullptr;
  const auto [rest, error] = std::from_chars(step.data(), end, index);
  if (error != std::errc{} || rest != end) return nullptr;
  return array->if_contains(index);
}

}  // namespace parley::inference::json_schema
