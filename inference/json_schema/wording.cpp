#include "inference/json_schema/wording.h"

#include <algorithm>

#include "inference/json/json_writer.h"

namespace parley::inference::json_schema {
namespace {

constexpr std::size_t kMaxCharacters = 60;
constexpr std::size_t kMaxWords = 10;
constexpr std::string_view kEllipsis = "\xE2\x80\xA6";

}  // namespace

std::string cut(std::string_view text) {
  std::size_t characters = 0;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const bool continues = (static_cast<unsigned char>(text[i]) & 0xC0) == 0x80;
    if (continues) continue;
    if (++characters > kMaxCharacters) return std::string(text.substr(0, i)) += kEllipsis;
  }
  return std::string(text);
}

std::string quoted(std::string_view text) { return json::to_json_text(json::JsonValue(cut(text))); }

std::string shown(const json::JsonValue& value) {
  if (value.is_object()) return "an object";
  if (value.is_array()) return "an array";
  if (value.is_string()) return quoted(value.get_string());
  return json::to_json_text(value);
}

std::string counted(std::size_t count, std::string_view noun) {
  return std::to_string(count) + " " + std::string(noun) + (count == 1 ? "" : "s");
}

std::string listed(std::span<const std::string> words, std::string_view last_joint) {
  std::string out;
  const std::size_t count = std::min(words.size(), kMaxWords);
  for (std::size_t i = 0; i < count; ++i) {
    if (i > 0) out += i + 1 == words.size() ? " " + std::string(last_joint) + " " : ", ";
    out += words[i];
  }
  if (count < words.size()) (out += ", ") += kEllipsis;
  return out;
}

}  // namespace parley::inference::json_schema
