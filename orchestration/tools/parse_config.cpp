#include "orchestration/tools/parse_config.h"

#include <algorithm>
#include <cstddef>

#include <boost/json/basic_parser_impl.hpp>
#include <boost/json/parse_options.hpp>

#include "inference/json/json_comments.h"

namespace parley::orchestration::tools {
namespace {

using inference::json::JsonError;
using inference::json::JsonValue;

constexpr std::size_t kMaxConfigDepth = 128;

// Takes everything and keeps nothing.
struct DeafHandler {
  using error_code = boost::json::error_code;
  using string_view = boost::json::string_view;
  // NOLINTBEGIN(readability-identifier-naming): names that Boost.JSON asks for
  static constexpr std::size_t max_object_size = std::size_t(-1);
  static constexpr std::size_t max_array_size = std::size_t(-1);
  static constexpr std::size_t max_key_size = std::size_t(-1);
  static constexpr std::size_t max_string_size = std::size_t(-1);
  // NOLINTEND(readability-identifier-naming)

  bool on_document_begin(error_code&) { return true; }
  bool on_document_end(error_code&) { return true; }
  bool on_object_begin(error_code&) { return true; }
  bool on_object_end(std::size_t, error_code&) { return true; }
  bool on_array_begin(error_code&) { return true; }
  bool on_array_end(std::size_t, error_code&) { return true; }
  bool on_key_part(string_view, std::size_t, error_code&) { return true; }
  bool on_key(string_view, std::size_t, error_code&) { return true; }
  bool on_string_part(string_view, std::size_t, error_code&) { return true; }
  bool on_string(string_view, std::size_t, error_code&) { return true; }
  bool on_number_part(string_view, error_code&) { return true; }
  bool on_int64(std::int64_t, string_view, error_code&) { return true; }
  bool on_uint64(std::uint64_t, string_view, error_code&) { return true; }
  bool on_double(double, string_view, error_code&) { return true; }
  bool on_bool(bool, error_code&) { return true; }
  bool on_null(error_code&) { return true; }
  bool on_comment_part(string_view, error_code&) { return true; }
  bool on_comment(string_view, error_code&) { return true; }
};

// simdjson does not say where a text is broken; this parser stops there. Empty: it finds nothing wrong.
std::string place_of_error(std::string_view text) {
  boost::json::parse_options options;
  options.max_depth = kMaxConfigDepth;
  boost::json::basic_parser<DeafHandler> parser(options);
  boost::json::error_code error;
  const std::size_t at = parser.write_some(false, text.data(), text.size(), error);
  if (!error && text.find_first_not_of(" \t\r\n", at) == std::string_view::npos) return {};
  const std::string_view before = text.substr(0, at);
  const auto line = 1 + std::count(before.begin(), before.end(), '\n');
  const std::size_t start = before.rfind('\n');
  const std::size_t column = start == std::string_view::npos ? at + 1 : at - start;
  return " at line " + std::to_string(line) + ", column " + std::to_string(column);
}

std::string words_of(const JsonError& error, std::string_view text) {
  if (error.kind == JsonError::Kind::duplicate_key)
    return '"' + error.key + "\" is given twice in one object";
  std::string words = error.message;
  if (!words.empty() && words.back() == '.') words.pop_back();
  if (error.kind == JsonError::Kind::not_json) words += place_of_error(text);
  if (error.kind == JsonError::Kind::not_a_number && !error.key.empty()) words += " (\"" + error.key + "\")";
  return words;
}

}  // namespace

std::variant<JsonValue, std::string> parse_config(std::string_view text) {
  constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";  // some editors begin files with it
  if (text.substr(0, kByteOrderMark.size()) == kByteOrderMark) text.remove_prefix(kByteOrderMark.size());
  const std::string json = inference::json::blank_trailing_commas(inference::json::blank_comments(text));
  auto parsed =
      inference::json::parse_json(json, {.max_bytes = kMaxConfigBytes, .max_depth = kMaxConfigDepth});
  if (const auto* error = std::get_if<JsonError>(&parsed)) return words_of(*error, json);
  return std::get<JsonValue>(std::move(parsed));
}

}  // namespace parley::orchestration::tools
