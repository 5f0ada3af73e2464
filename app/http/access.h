#pragma once
// Who may ask: exact Host list (against DNS rebinding), exact Origin and Sec-Fetch-Site (against other web
// pages), and the access key. Immutable after construction, any thread; a refusal is a value.

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "app/http/request.h"
#include "app/http/response.h"

namespace parley::app::http {

struct AccessOptions {
  std::string bound_host;                  // what we listen on: an address, an IPv6 one without brackets
  std::uint16_t port = 0;                  // the real one
  std::vector<std::string> allowed_hosts;  // names, or names with a port
  std::string access_key;                  // empty: none asked for
};

class AccessControl {
 public:
  explicit AccessControl(const AccessOptions& options);

  // `is_page`: what is asked for is a page, which a link on another site may lead to.
  std::optional<Refusal> check(const RequestHead& head, bool is_page) const;

 private:
  std::optional<Refusal> check_host(const RequestHead& head) const;
  std::optional<Refusal> check_site(const RequestHead& head, bool is_page) const;
  std::optional<Refusal> check_key(const RequestHead& head) const;
  bool may_be_secure(const std::string& host) const;

  std::vector<std::string> hosts_;          // values of Host, lower case
  std::vector<std::string> proxied_hosts_;  // of those, the ones that a TLS proxy may stand before
  std::string access_key_;
};

// Takes the same time for all texts of equal length.
bool equal_in_constant_time(std::string_view secret, std::string_view given);

}  // namespace parley::app::http
