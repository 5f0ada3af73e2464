#include <curl/curl.h>

#include <algorithm>
#include <stdexcept>
#include <utility>
#include <variant>

#include "orchestration/fetch/fetch.h"
#include "orchestration/fetch/request_rules.h"
#include "orchestration/fetch/transfer.h"

namespace parley::orchestration::fetch {
namespace {

FetchResponse refused(std::string sentence) {
  FetchResponse response;
  response.end = FetchResponse::End::refused;
  response.error = std::move(sentence);
  return response;
}

Trust trust_in(const Url& url, const std::vector<std::string>& trusted_origins) {
  const bool named =
      std::any_of(trusted_origins.begin(), trusted_origins.end(), [&](const std::string& trusted) {
        const ParsedUrl parsed = Url::parse(trusted);
        const Url* origin = std::get_if<Url>(&parsed);
        return origin != nullptr && origin->origin() == url.origin();
      });
  return named ? Trust::operator_wrote_it : Trust::none;
}

class CurlFetcher final : public Fetcher {
 public:
  FetchResponse fetch(const FetchRequest& request) const override {
    if (std::string problem = request_problem(request); !problem.empty()) return refused(std::move(problem));
    ParsedUrl parsed = Url::parse(request.url);
    if (auto* error = std::get_if<UrlError>(&parsed)) return refused(std::move(error->sentence));
    Hop hop{.url = std::get<Url>(std::move(parsed)),
            .method = request.method,
            .headers = request.headers,
            .body = request.body};
    for (int redirects = 0;; ++redirects) {
      FetchResponse response = fetch_hop(request, hop);
      if (response.end != FetchResponse::End::complete || !is_followed(request, response)) return response;
      if (redirects == request.max_redirects) {
        return refused(hop.url.origin() + " redirects more than " + std::to_string(redirects) + " times.");
      }
      std::string problem = follow_redirect(hop, response.status, header_value(response.headers, "location"));
      if (!problem.empty()) return refused(std::move(problem));
    }
  }

 private:
  static Redirects redirects_of(const FetchRequest& request) {
    return request.max_redirects > 0 ? Redirects::follow : Redirects::keep;
  }

  static bool is_followed(const FetchRequest& request, const FetchResponse& response) {
    return redirects_of(request) == Redirects::follow && is_redirect(response.status) &&
           !header_value(response.headers, "location").empty();
  }

  FetchResponse fetch_hop(const FetchRequest& request, const Hop& hop) const {
    AddressGate gate(hop.url, trust_in(hop.url, request.trusted_origins), memory_);
    ResponseReader reader(request, redirects_of(request));
    transfer(request, hop, gate, reader);
    reader.response().url = hop.url.text();
    return std::move(reader.response());
  }

  mutable OriginMemory memory_;
};

}  // namespace

std::unique_ptr<Fetcher> make_fetcher() {
  // libcurl's own state of the process: made once, never taken down, since other threads may be using it.
  static const CURLcode kReady = curl_global_init(CURL_GLOBAL_DEFAULT);
  if (kReady != CURLE_OK) throw std::runtime_error("The HTTP library (libcurl) could not be initialised.");
  return std::make_unique<CurlFetcher>();
}

}  // namespace parley::orchestration::fetch
