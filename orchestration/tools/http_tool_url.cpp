#include "orchestration/tools/http_tool_url.h"

#include <algorithm>

#include "orchestration/tools/argument_text.h"

namespace parley::orchestration::tools {
namespace {

using inference::json::JsonObject;
using inference::json::JsonValue;

bool is_unreserved(char c) {
  return (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') ||
         std::string_view("-._~").find(c) != std::string_view::npos;
}

struct UrlPiece {
  std::string_view text;  // literal, or a placeholder's name
  bool placeholder = false;
};

std::vector<UrlPiece> pieces_of(std::string_view url) {
  std::vector<UrlPiece> pieces;
  while (!url.empty()) {
    const std::size_t open = url.find('{');
    const std::size_t close = open == std::string_view::npos ? open : url.find('}', open);
    if (close == std::string_view::npos) {
      pieces.push_back({.text = url, .placeholder = false});
      break;
    }
    if (open > 0) pieces.push_back({.text = url.substr(0, open), .placeholder = false});
    pieces.push_back({.text = url.substr(open + 1, close - open - 1), .placeholder = true});
    url.remove_prefix(close + 1);
  }
  return pieces;
}

// A server may decode %2F before it resolves "..", so that not even encoded ones get through.
bool climbs(std::string_view value) {
  while (true) {
    const std::size_t end = value.find_first_of("/\\");
    const std::string_view segment = value.substr(0, end);
    if (segment == "." || segment == "..") return true;
    if (end == std::string_view::npos) return false;
    value.remove_prefix(end + 1);
  }
}

std::string quoted_argument(std::string_view name) { return "The argument \"" + std::string(name) + "\""; }

// The value of a path's placeholder, encoded; `problem` is set where it cannot be one.
std::string path_value(std::string_view name, const JsonObject& arguments, std::string& problem) {
  const JsonValue* value = arguments.if_contains(name);
  if (value == nullptr || value->is_null()) {
    problem = quoted_argument(name) + " is missing; it is part of the address.";
    return {};
  }
  const std::string text = argument_text(*value);
  if (text.empty()) problem = quoted_argument(name) + " must not be empty; it is part of the address.";
  if (climbs(text))
    problem = quoted_argument(name) + " must not contain \".\" or \"..\" as a part of a path.";
  if (value->is_object() || value->is_array())
    problem = quoted_argument(name) + " must be a text or a number.";
  return percent_encoded(text);
}

std::string query_value(std::string_view name, const JsonObject& arguments) {
  const JsonValue* value = arguments.if_contains(name);
  return value == nullptr || value->is_null() ? std::string() : percent_encoded(argument_text(*value));
}

}  // namespace

std::string percent_encoded(std::string_view text) {
  constexpr std::string_view kDigits = "0123456789ABCDEF";
  std::string encoded;
  for (const char c : text) {
    if (is_unreserved(c)) {
      encoded += c;
    } else {
      encoded += '%';
      encoded += kDigits[static_cast<unsigned char>(c) >> 4];
      encoded += kDigits[static_cast<unsigned char>(c) & 15];
    }
  }
  return encoded;
}

void append_pair(std::string& pairs, std::string_view name, const JsonValue& value) {
  if (value.is_null()) return;
  if (value.is_array()) {
    for (const JsonValue& element : value.get_array()) {
      if (!element.is_array()) append_pair(pairs, name, element);
    }
    return;
  }
  if (!pairs.empty()) pairs += '&';
  pairs += percent_encoded(name) + '=' + percent_encoded(argument_text(value));
}

std::vector<std::string> url_placeholders(std::string_view url_template) {
  std::vector<std::string> names;
  for (const UrlPiece& piece : pieces_of(url_template)) {
    if (piece.placeholder) names.emplace_back(piece.text);
  }
  return names;
}

std::string_view url_origin(std::string_view url_template) {
  const std::size_t scheme_end = url_template.find("://");
  if (scheme_end == std::string_view::npos) return {};
  return url_template.substr(0, url_template.find_first_of("/?#\\", scheme_end + 3));
}

bool has_user(std::string_view url_template) {
  return url_origin(url_template).find('@') != std::string_view::npos;
}

std::string url_template_problem(std::string_view url_template) {
  const std::string_view origin = url_origin(url_template);
  if (!origin.starts_with("http://") && !origin.starts_with("https://")) {
    return "The URL has to begin with http:// or https://.";
  }
  if (has_user(url_template)) {
    return "The URL holds a user name or password, which belong into a header.";
  }
  if (origin.find_first_of("{}") != std::string_view::npos) {
    return "The URL's host must not hold a placeholder: a model would choose where the request goes.";
  }
  if (url_template.find_first_of("\\ \t\r\n") != std::string_view::npos) {
    return "The URL holds a space or a backslash.";
  }
  if (url_template.find('#') != std::string_view::npos)
    return "The URL has a fragment (#), which is never sent.";
  for (const UrlPiece& piece : pieces_of(url_template)) {
    const bool name = !piece.text.empty() && std::all_of(piece.text.begin(), piece.text.end(), is_unreserved);
    if (piece.placeholder ? !name : piece.text.find_first_of("{}") != std::string_view::npos) {
      return "The URL holds a brace that belongs to no {placeholder}.";
    }
  }
  return {};
}

FilledUrl fill_url(std::string_view url_template, const JsonObject& arguments) {
  FilledUrl filled;
  bool in_query = false;
  for (const UrlPiece& piece : pieces_of(url_template)) {
    if (!piece.placeholder) {
      filled.url += piece.text;
      in_query = in_query || piece.text.find('?') != std::string_view::npos;
    } else if (in_query) {
      filled.url += query_value(piece.text, arguments);
    } else {
      filled.url += path_value(piece.text, arguments, filled.problem);
    }
  }
  return filled;
}

}  // namespace parley::orchestration::tools
