#include "inference/json_schema/formats.h"

#include <algorithm>
#include <array>
#include <variant>

#include "inference/json_schema/address_formats.h"
#include "inference/json_schema/json_pointer.h"
#include "inference/json_schema/pattern.h"
#include "inference/json_schema/time_formats.h"
#include "inference/json_schema/uri_formats.h"

namespace parley::inference::json_schema {
namespace {

bool is_uuid(std::string_view text) {
  constexpr std::string_view kShape = "xxxxxxxx-xxxx-xxxx-xxxx-xxxxxxxxxxxx";
  const auto fits = [](char c, char shape) {
    if (shape == '-') return c == '-';
    return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F');
  };
  return std::equal(text.begin(), text.end(), kShape.begin(), kShape.end(), fits);
}

bool is_json_pointer(std::string_view text) { return pointer_steps(text).has_value(); }

bool is_relative_json_pointer(std::string_view text) {
  const std::size_t digits = std::min(text.find_first_not_of("0123456789"), text.size());
  if (digits == 0 || (digits > 1 && text.front() == '0')) return false;
  const std::string_view rest = text.substr(digits);
  return rest == "#" || is_json_pointer(rest);
}

bool is_regex(std::string_view text) { return std::holds_alternative<Pattern>(Pattern::compile(text)); }

constexpr std::array kFormats{
    Format{"date", "a date such as 2024-05-31", is_date},
    Format{"time", "a time with its offset, such as 14:30:00Z or 14:30:00+02:00", is_time},
    Format{"date-time", "a date and time such as 2024-05-31T14:30:00Z", is_date_time},
    Format{"duration", "an ISO 8601 duration such as P1DT2H", is_duration},
    Format{"email", "an e-mail address", is_email},
    Format{"hostname", "a host name", is_hostname},
    Format{"ipv4", "an IPv4 address", is_ipv4},
    Format{"ipv6", "an IPv6 address", is_ipv6},
    Format{"uri", "a URI with its scheme, such as https://example.com/a", is_uri},
    Format{"uri-reference", "a URI or a relative reference", is_uri_reference},
    Format{"uuid", "a UUID", is_uuid},
    Format{"json-pointer", "a JSON pointer such as /a/0", is_json_pointer},
    Format{"relative-json-pointer", "a relative JSON pointer such as 1/a", is_relative_json_pointer},
    Format{"regex", "a regular expression", is_regex},
};

}  // namespace

const Format* find_format(std::string_view name) {
  const auto* found = std::find_if(kFormats.begin(), kFormats.end(),
                                   [&](const Format& format) { return format.name == name; });
  return found == kFormats.end() ? nullptr : found;
}

}  // namespace parley::inference::json_schema
