#include "orchestration/tools/http_tool_text.h"

#include <unicode/ucnv.h>

#include <cstdint>
#include <optional>

#include "inference/text/utf8_repair.h"
#include "orchestration/fetch/request_rules.h"
#include "orchestration/mcp/plain_text.h"
#include "orchestration/tools/http_tool_json.h"

namespace parley::orchestration::tools {
namespace {

constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";

std::string_view without_spaces(std::string_view text) {
  const std::size_t begin = text.find_first_not_of(" \t\"");
  if (begin == std::string_view::npos) return {};
  return text.substr(begin, text.find_last_not_of(" \t\"") - begin + 1);
}

std::string repaired_utf8(std::string_view bytes) {
  inference::text::Utf8Repair repair;
  std::string text;
  repair.push(bytes, text);
  repair.finish(text);
  return text;
}

// Nullopt: ICU knows no such encoding.
std::optional<std::string> decoded(std::string_view bytes, std::string charset) {
  // What calls itself Latin-1 is read as Windows' superset of it, as the WHATWG's Encoding standard has it.
  if (charset == "iso-8859-1" || charset == "latin1" || charset == "us-ascii") charset = "windows-1252";
  std::string text(bytes.size() * 4 + 16, '\0');
  UErrorCode status = U_ZERO_ERROR;
  const std::int32_t size =
      ucnv_convert("UTF-8", charset.c_str(), text.data(), static_cast<std::int32_t>(text.size()),
                   bytes.data(), static_cast<std::int32_t>(bytes.size()), &status);
  if (U_FAILURE(status)) return std::nullopt;
  text.resize(static_cast<std::size_t>(size));
  return text;
}

std::string utf8_of(std::string_view bytes, const std::string& charset) {
  std::optional<std::string> other;
  if (!charset.empty() && charset != "utf-8" && charset != "utf8") other = decoded(bytes, charset);
  std::string_view text = other ? std::string_view(*other) : bytes;
  if (text.starts_with(kByteOrderMark)) text.remove_prefix(kByteOrderMark.size());
  return repaired_utf8(text);
}

}  // namespace

MediaType parse_media_type(std::string_view content_type) {
  const std::string all = fetch::lower_case(content_type);
  std::string_view rest = all;
  MediaType type;
  type.name = without_spaces(rest.substr(0, rest.find(';')));
  const std::size_t charset = rest.find("charset=");
  if (charset != std::string_view::npos) {
    rest.remove_prefix(charset + 8);
    type.charset = without_spaces(rest.substr(0, rest.find(';')));
  }
  return type;
}

bool is_json(const MediaType& type) {
  return type.name == "application/json" || type.name.ends_with("+json");
}

bool is_text(const MediaType& type, std::string_view body) {
  if (type.name.starts_with("text/") || is_json(type)) return true;
  for (const std::string_view word :
       {"xml", "javascript", "yaml", "json", "x-www-form-urlencoded", "graphql", "sql"}) {
    if (type.name.find(word) != std::string::npos) return true;
  }
  if (!type.name.empty()) return type.name.starts_with("application/") && !type.charset.empty();
  return body.find('\0') == std::string_view::npos;
}

std::string shown_text(std::string_view bytes, const MediaType& type) {
  std::string text = utf8_of(bytes, type.charset);
  return shown_text(is_json(type) ? compact_json(text) : text);
}

std::string shown_text(std::string_view text) { return mcp::plain_text(text); }

}  // namespace parley::orchestration::tools
