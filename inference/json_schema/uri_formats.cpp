#include "inference/json_schema/uri_formats.h"

#include <algorithm>

#include "inference/json_schema/address_formats.h"
#include "inference/json_schema/uri.h"

namespace parley::inference::json_schema {
namespace {

constexpr std::string_view kUserAndHost = "-._~!$&'()*+,;=";  // beside letters, digits and escapes
constexpr std::string_view kUser = "-._~!$&'()*+,;=:";
constexpr std::string_view kPath = "-._~!$&'()*+,;=:@/";
constexpr std::string_view kQuery = "-._~!$&'()*+,;=:@/?";

bool is_hex(char c) { return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F'); }

bool consists_of(std::string_view text, std::string_view signs) {
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (c == '%') {
      if (i + 2 >= text.size() || !is_hex(text[i + 1]) || !is_hex(text[i + 2])) return false;
      i += 2;
      continue;
    }
    const bool plain = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
    if (!plain && signs.find(c) == std::string_view::npos) return false;
  }
  return true;
}

// "v1.fe80::a": for addresses of a later day.
bool is_future_address(std::string_view text) {
  const std::size_t dot = text.find('.');
  if (text.size() < 4 || (text[0] != 'v' && text[0] != 'V') || dot == std::string_view::npos || dot < 2) {
    return false;
  }
  const std::string_view version = text.substr(1, dot - 1);
  const std::string_view address = text.substr(dot + 1);
  return std::all_of(version.begin(), version.end(), is_hex) && !address.empty() &&
         address.find('%') == std::string_view::npos && consists_of(address, kUser);
}

bool is_host(std::string_view text) {
  if (!text.starts_with('[')) return consists_of(text, kUserAndHost);
  if (!text.ends_with(']')) return false;
  text = text.substr(1, text.size() - 2);
  return is_ipv6(text) || is_future_address(text);
}

bool is_authority(std::string_view text) {
  if (const std::size_t at = text.find('@'); at != std::string_view::npos) {
    if (!consists_of(text.substr(0, at), kUser)) return false;
    text = text.substr(at + 1);
  }
  const std::size_t bracket = text.rfind(']');
  const std::size_t colon = text.find(':', bracket == std::string_view::npos ? 0 : bracket);
  if (colon != std::string_view::npos) {
    const std::string_view port = text.substr(colon + 1);
    if (!std::all_of(port.begin(), port.end(), [](char c) { return c >= '0' && c <= '9'; })) return false;
    text = text.substr(0, colon);
  }
  return is_host(text);
}

}  // namespace

bool is_uri_reference(std::string_view text) {
  const UriParts parts = split_uri(text);
  if (parts.authority && !is_authority(*parts.authority)) return false;
  // Without a scheme, a colon in the first segment would be read as one.
  const std::string_view first_segment = parts.path.substr(0, parts.path.find('/'));
  if (!parts.scheme && !parts.authority && first_segment.find(':') != std::string_view::npos) return false;
  return consists_of(parts.path, kPath) && consists_of(parts.query.value_or(""), kQuery) &&
         consists_of(parts.fragment.value_or(""), kQuery);
}

bool is_uri(std::string_view text) { return split_uri(text).scheme && is_uri_reference(text); }

}  // namespace parley::inference::json_schema
