#include "app/http/access.h"

#include <algorithm>

namespace parley::app::http {
namespace {

constexpr std::uint16_t kHttpPort = 80;
constexpr std::string_view kBearer = "bearer ";

bool contains(const std::vector<std::string>& list, const std::string& item) {
  return std::find(list.begin(), list.end(), item) != list.end();
}

bool is_wildcard(const std::string& host) { return host == "0.0.0.0" || host == "::"; }

bool has_port(const std::string& host) {
  const auto colon = host.rfind(':');
  return colon != std::string::npos && host.find(']', colon) == std::string::npos &&
         (host.front() == '[' || host.find(':') == colon);
}

// The forms that a browser gives a name in Host: without the port where it is the usual one.
void add_forms(std::vector<std::string>& hosts, const std::string& name, std::uint16_t port) {
  hosts.push_back(name + ":" + std::to_string(port));
  if (port == kHttpPort) hosts.push_back(name);
}

}  // namespace

AccessControl::AccessControl(const AccessOptions& options) : access_key_(options.access_key) {
  for (const char* name : {"localhost", "127.0.0.1", "[::1]"}) add_forms(hosts_, name, options.port);
  if (!options.bound_host.empty() && !is_wildcard(options.bound_host)) {
    const bool ipv6 = options.bound_host.find(':') != std::string::npos;
    add_forms(hosts_, ipv6 ? "[" + options.bound_host + "]" : to_lower(options.bound_host), options.port);
  }
  for (const std::string& allowed : options.allowed_hosts) {
    const std::string name = to_lower(allowed);
    if (name.empty()) continue;
    proxied_hosts_.push_back(name);
    if (!has_port(name)) proxied_hosts_.push_back(name + ":" + std::to_string(options.port));
  }
  hosts_.insert(hosts_.end(), proxied_hosts_.begin(), proxied_hosts_.end());
}

std::optional<Refusal> AccessControl::check(const RequestHead& head, bool is_page) const {
  if (auto refusal = check_host(head)) return refusal;
  if (auto refusal = check_site(head, is_page)) return refusal;
  return check_key(head);
}

std::optional<Refusal> AccessControl::check_host(const RequestHead& head) const {
  const std::string* host = head.find("Host");
  if (host != nullptr && contains(hosts_, to_lower(*host))) return std::nullopt;
  return Refusal{421,
                 "This server does not answer to the host name in the address. Use http://" + hosts_.front() +
                     "/ or add the name to allowed_hosts in the configuration.",
                 {}};
}

bool AccessControl::may_be_secure(const std::string& host) const { return contains(proxied_hosts_, host); }

std::optional<Refusal> AccessControl::check_site(const RequestHead& head, bool is_page) const {
  const Refusal refusal{403, "Requests from other web pages are not taken.", {}};
  const std::string* origin = head.find("Origin");
  if (origin != nullptr) {
    const std::string host = to_lower(*head.find("Host"));
    const bool same = *origin == "http://" + host || (may_be_secure(host) && *origin == "https://" + host);
    if (!same) return refusal;
  }
  const std::string* site = head.find("Sec-Fetch-Site");
  if (site == nullptr || *site == "same-origin") return std::nullopt;
  const bool reads = head.method == "GET" || head.method == "HEAD";
  if (*site == "none" && reads) return std::nullopt;  // typed by the person
  const std::string* mode = head.find("Sec-Fetch-Mode");
  const std::string* destination = head.find("Sec-Fetch-Dest");
  const bool opens_page =
      mode != nullptr && *mode == "navigate" && destination != nullptr && *destination == "document";
  if (is_page && reads && opens_page && origin == nullptr) return std::nullopt;
  return refusal;
}

std::optional<Refusal> AccessControl::check_key(const RequestHead& head) const {
  if (access_key_.empty()) return std::nullopt;
  const std::string* authorization = head.find("Authorization");
  if (authorization != nullptr && authorization->size() > kBearer.size() &&
      equal_ignoring_case(std::string_view(*authorization).substr(0, kBearer.size()), kBearer) &&
      equal_in_constant_time(access_key_, std::string_view(*authorization).substr(kBearer.size()))) {
    return std::nullopt;
  }
  const bool none = authorization == nullptr;
  return Refusal{401,
                 none
                     ? "This server asks for its access key: send it as \"Authorization: Bearer KEY\"."
                     : "The access key is wrong; it must be the server's access_key, sent as \"Bearer KEY\".",
                 {Field{"WWW-Authenticate", "Bearer"}}};
}

bool equal_in_constant_time(std::string_view secret, std::string_view given) {
  if (secret.empty()) return given.empty();
  unsigned difference = secret.size() == given.size() ? 0u : 1u;
  for (std::size_t i = 0; i < given.size(); ++i) {
    difference |=
        static_cast<unsigned char>(given[i]) ^ static_cast<unsigned char>(secret[i % secret.size()]);
    asm volatile("" : "+r"(difference));  // the compiler must not stop early
  }
  return difference == 0;
}

}  // namespace parley::app::http
