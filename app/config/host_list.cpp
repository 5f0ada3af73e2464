#include "app/config/host_list.h"

#include <algorithm>
#include <charconv>
#include <cstdint>
#include <utility>

namespace parley::app::config {
namespace {

constexpr std::string_view kSpaces = " \t\r\n";

std::string_view trimmed(std::string_view text) {
  const std::size_t begin = std::min(text.find_first_not_of(kSpaces), text.size());
  return text.substr(begin, text.find_last_not_of(kSpaces) + 1 - begin);
}

bool is_name_character(char c) {
  return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '-' || c == '_' || c == '.';
}

bool is_name(std::string_view name) {
  return !name.empty() && name.front() != '.' && name.find("..") == std::string_view::npos &&
         std::all_of(name.begin(), name.end(), is_name_character);
}

bool is_ipv6(std::string_view address) {
  return std::count(address.begin(), address.end(), ':') >= 2 &&
         std::all_of(address.begin(), address.end(), [](char c) {
           return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f') || c == ':' || c == '.';
         });
}

bool is_port(std::string_view text) {
  std::uint16_t port = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), port);
  return error == std::errc{} && end == text.data() + text.size();
}

// "[::1]:80" and "name:80" in two; without a port the second is empty, with an empty one it is ":".
std::pair<std::string_view, std::string_view> split_port(std::string_view host) {
  const std::size_t behind = host.starts_with('[') ? host.find(']') : 0;
  const std::size_t colon = behind == std::string_view::npos ? behind : host.find(':', behind);
  if (colon == std::string_view::npos) return {host, {}};
  return {host.substr(0, colon), host.substr(colon)};
}

// Empty: it is none.
std::string host_of(std::string_view entry) {
  std::string text(entry);
  std::transform(text.begin(), text.end(), text.begin(),
                 [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; });
  if (is_ipv6(text)) return "[" + text + "]";
  auto [name, port] = split_port(text);
  if (!port.empty() && !is_port(port.substr(1))) return {};
  const bool in_brackets = name.size() > 2 && name.starts_with('[') && name.ends_with(']');
  if (name.ends_with('.')) name.remove_suffix(1);
  if (!is_name(name) && !(in_brackets && is_ipv6(name.substr(1, name.size() - 2)))) return {};
  return std::string(name) + std::string(port);
}

}  // namespace

std::optional<std::string> read_host_list(std::string_view text, std::vector<std::string>& hosts) {
  std::vector<std::string> read;
  while (!text.empty()) {
    const std::size_t comma = std::min(text.find(','), text.size());
    const std::string_view entry = trimmed(text.substr(0, comma));
    text.remove_prefix(std::min(comma + 1, text.size()));
    if (entry.empty()) continue;
    read.push_back(host_of(entry));
    if (read.back().empty()) {
      return "expected names such as chat.example or chat.example:8443, separated by commas, without http:// "
             "and paths, "
             "not \"" +
             std::string(entry) + '"';
    }
  }
  hosts = std::move(read);
  return std::nullopt;
}

}  // namespace parley::app::config
