#pragma once
// Outgoing HTTP, with the fences a server needs that fetches what a model asks for: the very address that is
// connected to is checked, and private ranges refused unless the operator named that origin; redirects are
// checked anew, size and time are bounded, credentials never go to another host. No proxy, cookie or netrc of
// the environment is used, certificates are always verified, and each request has a connection of its own.
// Blocks; any thread, several at once. What fails is a value.

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <stop_token>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace parley::orchestration::fetch {

using Header = std::pair<std::string, std::string>;

struct FetchRequest {
  std::string method = "GET";
  std::string url;
  std::vector<Header> headers;  // sent to the URL's own origin only; those that frame a message are refused
  std::string body;
  // "http://127.0.0.1:9000": literally in the operator's file, so any address will do. But one that was
  // public when first connected to stays so: that its name now means a private address is not what was
  // written down.
  std::vector<std::string> trusted_origins;
  int max_redirects = 5;  // 0: a redirect is an answer like any other
  // Bytes after decompression, also with on_body; a longer answer is cut and marked.
  std::size_t max_body = std::size_t{4} << 20;
  std::chrono::milliseconds connect_timeout{10000};
  std::chrono::steady_clock::time_point deadline;  // of the whole, redirects and body included; must be set
  std::stop_token stop;                            // ends it within 100 ms
  // Not empty: told status and headers of the final answer, before its body. Must not throw.
  std::function<void(int status, const std::vector<Header>& headers)> on_head;
  // Not empty: takes the body as it arrives (after decompression), on the calling thread; false ends the
  // transfer. Must not throw.
  std::function<bool(std::string_view chunk)> on_body;
};

struct FetchResponse {
  enum class End : std::uint8_t {
    complete,  // any status, also 500
    refused,   // by our own fences; `error` says which
    failed,    // DNS, connection, TLS, protocol; `error` says what
    timed_out,
    stopped,  // by the stop token, or by on_body
  };
  End end = End::failed;
  std::string error;  // a sentence; empty when complete
  int status = 0;
  std::vector<Header> headers;  // names in lower case
  std::string body;             // empty when on_body took it
  bool cut = false;             // the body was longer than max_body
  std::string url;              // where the answer came from, after redirects
};

class Fetcher {
 public:
  virtual ~Fetcher() = default;
  virtual FetchResponse fetch(const FetchRequest& request) const = 0;
};

// libcurl underneath. Throws std::runtime_error where libcurl cannot be initialised.
std::unique_ptr<Fetcher> make_fetcher();

}  // namespace parley::orchestration::fetch
