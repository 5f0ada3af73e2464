#include "orchestration/sessions/string_list.h"

#include "inference/json/json.h"
#include "inference/json/json_writer.h"

namespace parley::orchestration::sessions {

using inference::json::JsonArray;
using inference::json::JsonValue;

std::string encode_strings(const std::vector<std::string>& strings) {
  return inference::json::to_json_text(JsonArray(strings.begin(), strings.end()));
}

std::optional<std::vector<std::string>> decode_strings(std::string_view text) {
  auto parsed = inference::json::parse_json(text, {.max_bytes = text.size()});
  const auto* value = std::get_if<JsonValue>(&parsed);
  const JsonArray* array = value == nullptr ? nullptr : value->if_array();
  if (array == nullptr) return std::nullopt;
  std::vector<std::string> strings;
  for (const JsonValue& item : *array) {
    if (!item.is_string()) return std::nullopt;
    strings.emplace_back(item.get_string());
  }
  return strings;
}

}  // namespace parley::orchestration::sessions
