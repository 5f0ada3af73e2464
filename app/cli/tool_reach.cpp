#include "app/cli/tool_reach.h"

#include <algorithm>
#include <cctype>
#include <string_view>

#include <boost/asio/ip/address.hpp>

namespace parley::app::cli {
namespace {

namespace asio = boost::asio;

// "name:80", "[::1]:80" and "[::1]" without the port and the brackets.
std::string_view bare_host(std::string_view host) {
  if (host.starts_with('[')) return host.substr(1, std::min(host.find(']'), host.size()) - 1);
  const std::size_t colon = host.find(':');
  const bool has_port =
      colon != std::string_view::npos && host.find(':', colon + 1) == std::string_view::npos;
  return has_port ? host.substr(0, colon) : host;
}

// Names below .localhost never leave the machine (RFC 6761).
bool is_loopback_name(std::string_view host) {
  std::string name(bare_host(host));
  std::transform(name.begin(), name.end(), name.begin(),
                 [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  boost::system::error_code error;
  const asio::ip::address address = asio::ip::make_address(name, error);
  return name == "localhost" || name.ends_with(".localhost") || (!error && address.is_loopback());
}

std::string reached_by(const config::Config& config) {
  if (!is_loopback_name(config.host)) return "the server listens on " + config.host;
  for (const std::string& name : config.allowed_hosts) {
    if (!is_loopback_name(name)) return "allowed_hosts has " + name;
  }
  return {};
}

}  // namespace

std::string why_tools_are_off(const config::Config& config) {
  if (!config.access_key.empty()) return {};
  const std::string reached = reached_by(config);
  if (reached.empty()) return {};
  return reached +
         ", so other machines can ask it to run them, and no access key is set. To have tools, set access_key"
         " (PARLEY_ACCESS_KEY) to a long random text, which every request then has to bring";
}

}  // namespace parley::app::cli
