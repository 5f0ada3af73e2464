#include "orchestration/fetch/redirect.h"

#include <utility>
#include <variant>

#include "orchestration/fetch/request_rules.h"

namespace parley::orchestration::fetch {
namespace {

bool becomes_get(int status, std::string_view method) {
  if (status == 303) return method != "GET" && method != "HEAD";
  return (status == 301 || status == 302) && method == "POST";
}

void turn_into_get(Hop& hop) {
  hop.method = "GET";
  hop.body = {};
  std::erase_if(hop.headers,
                [](const Header& header) { return lower_case(header.first).starts_with("content-"); });
}

}  // namespace

std::string follow_redirect(Hop& hop, int status, std::string_view location) {
  ParsedUrl parsed = hop.url.resolve(location);
  if (const auto* error = std::get_if<UrlError>(&parsed)) {
    return hop.url.origin() + " redirects to an address that cannot be used. " + error->sentence;
  }
  Url target = std::get<Url>(std::move(parsed));
  if (hop.url.is_https() && !target.is_https()) {
    return hop.url.origin() + " redirects to " + target.origin() +
           ", which is not encrypted. That was refused.";
  }
  if (becomes_get(status, hop.method)) turn_into_get(hop);
  if (target.origin() != hop.url.origin()) {
    if (!hop.body.empty()) {
      return hop.url.origin() + " asks to send the request's body to " + target.origin() +
             ". That was refused.";
    }
    hop.headers.clear();
  }
  hop.url = std::move(target);
  return {};
}

}  // namespace parley::orchestration::fetch
