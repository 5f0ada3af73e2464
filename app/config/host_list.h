#pragma once
// A list of host names as people write it, as the Host field of requests has them. Plain functions, any
// thread; what is wrong is words.

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace parley::app::config {

// "Chat.Example., dev:3000": chat.example and dev:3000, without spaces around them, in lower case, without
// the dot that ends a full name, addresses of IPv6 in brackets. Nullopt: done; else what is expected, and
// `hosts` is as it was.
std::optional<std::string> read_host_list(std::string_view text, std::vector<std::string>& hosts);

}  // namespace parley::app::config
