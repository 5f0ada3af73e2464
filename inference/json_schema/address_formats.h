#pragma once
// Addresses on the Internet: IPv4 (RFC 2673), IPv6 (RFC 4291), host names (RFC 1123), mailboxes (RFC 5321).
// ASCII only. Pure, any thread.

#include <string_view>

namespace parley::inference::json_schema {

bool is_ipv4(std::string_view text);
bool is_ipv6(std::string_view text);
bool is_hostname(std::string_view text);
bool is_email(std::string_view text);

}  // namespace parley::inference::json_schema
