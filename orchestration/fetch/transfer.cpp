#include "orchestration/fetch/transfer.h"

#include <curl/curl.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <memory>
#include <new>
#include <stop_token>
#include <string>

#include "orchestration/fetch/request_rules.h"
#include "orchestration/fetch/transfer_errors.h"

namespace parley::orchestration::fetch {
namespace {

using Clock = std::chrono::steady_clock;
using std::chrono::milliseconds;

constexpr milliseconds kLongestPoll{1000};

struct EasyCleanup {
  void operator()(CURL* easy) const { curl_easy_cleanup(easy); }
};
struct MultiCleanup {
  void operator()(CURLM* multi) const { curl_multi_cleanup(multi); }
};
struct ListCleanup {
  void operator()(curl_slist* list) const { curl_slist_free_all(list); }
};

extern "C" {

curl_socket_t open_checked_socket(void* gate, curlsocktype purpose, curl_sockaddr* address) noexcept {
  if (purpose != CURLSOCKTYPE_IPCXN) return CURL_SOCKET_BAD;
  return static_cast<AddressGate*>(gate)->open_socket(address->socktype, address->protocol, address->addr);
}

std::size_t take_header_bytes(char* bytes, std::size_t size, std::size_t count, void* reader) noexcept {
  const std::string_view line(bytes, size * count);
  return static_cast<ResponseReader*>(reader)->take_header_line(line) ? line.size() : 0;
}

std::size_t take_body_bytes(char* bytes, std::size_t size, std::size_t count, void* reader) noexcept {
  const std::string_view chunk(bytes, size * count);
  // Zero would mean success for an empty chunk.
  return static_cast<ResponseReader*>(reader)->take_body(chunk) ? chunk.size() : chunk.size() + 1;
}

}  // extern "C"

class Transfer {
 public:
  Transfer(const FetchRequest& request, const Hop& hop, AddressGate& gate, ResponseReader& reader)
      : request_(request), hop_(hop), gate_(gate), reader_(reader) {
    if (!easy_ || !multi_) throw std::bad_alloc();
    set_fences();
    set_request();
    curl_multi_add_handle(multi_.get(), easy_.get());
  }
  ~Transfer() { curl_multi_remove_handle(multi_.get(), easy_.get()); }
  Transfer(const Transfer&) = delete;
  Transfer& operator=(const Transfer&) = delete;

  void run() {
    const std::stop_callback wake(request_.stop, [this] { curl_multi_wakeup(multi_.get()); });
    int running = 1;
    while (true) {
      if (request_.stop.stop_requested()) return end(FetchResponse::End::stopped, "The request was stopped.");
      if (Clock::now() >= request_.deadline) return end_late();
      curl_multi_perform(multi_.get(), &running);
      if (running == 0) break;
      const auto left = std::chrono::ceil<milliseconds>(request_.deadline - Clock::now());
      const auto wait = std::clamp(left, milliseconds(0), kLongestPoll);
      curl_multi_poll(multi_.get(), nullptr, 0, static_cast<int>(wait.count()), nullptr);
    }
    int queued = 0;
    const CURLMsg* message = curl_multi_info_read(multi_.get(), &queued);
    conclude(message == nullptr ? CURLE_FAILED_INIT : message->data.result);
  }

 private:
  template <typename Value>
  void set(CURLoption option, Value value) {
    if (curl_easy_setopt(easy_.get(), option, value) == CURLE_OUT_OF_MEMORY) throw std::bad_alloc();
  }

  void set_fences() {
    set(CURLOPT_CURLU, hop_.url.handle());
    set(CURLOPT_PROTOCOLS_STR, "http,https");
    set(CURLOPT_OPENSOCKETFUNCTION, open_checked_socket);
    set(CURLOPT_OPENSOCKETDATA, &gate_);
    set(CURLOPT_PROXY, "");  // also not the one of the environment
    set(CURLOPT_FOLLOWLOCATION, 0L);
    set(CURLOPT_NETRC, long{CURL_NETRC_IGNORED});
    set(CURLOPT_SSL_VERIFYPEER, 1L);
    set(CURLOPT_SSL_VERIFYHOST, 2L);
    set(CURLOPT_SSLVERSION, long{CURL_SSLVERSION_TLSv1_2});
    set(CURLOPT_HTTP_VERSION, long{CURL_HTTP_VERSION_1_1});
    // A kept connection would have been checked for another request, and libcurl sends a request again when
    // such a connection turns out to be dead: what has effects must not happen twice.
    set(CURLOPT_FRESH_CONNECT, 1L);
    set(CURLOPT_FORBID_REUSE, 1L);
    set(CURLOPT_NOSIGNAL, 1L);
    set(CURLOPT_QUICK_EXIT, 1L);  // a hanging name look-up must not hold up a stop
    set(CURLOPT_CONNECTTIMEOUT_MS,
        static_cast<long>(std::max<milliseconds::rep>(1, request_.connect_timeout.count())));
    set(CURLOPT_ERRORBUFFER, error_.data());
    set(CURLOPT_ACCEPT_ENCODING, "gzip, deflate");
    set(CURLOPT_HEADERFUNCTION, take_header_bytes);
    set(CURLOPT_HEADERDATA, &reader_);
    set(CURLOPT_WRITEFUNCTION, take_body_bytes);
    set(CURLOPT_WRITEDATA, &reader_);
  }

  void set_request() {
    if (hop_.method == "HEAD") {
      set(CURLOPT_NOBODY, 1L);
    } else if (!hop_.body.empty() || hop_.method == "POST" || hop_.method == "PUT" ||
               hop_.method == "PATCH") {
      set(CURLOPT_POSTFIELDSIZE_LARGE, static_cast<curl_off_t>(hop_.body.size()));
      set(CURLOPT_POSTFIELDS, hop_.body.empty() ? "" : hop_.body.data());
    }
    set(CURLOPT_CUSTOMREQUEST, hop_.method.c_str());
    add_header("Expect:");
    if (header_value(hop_.headers, "content-type").empty()) add_header("Content-Type:");
    if (header_value(hop_.headers, "user-agent").empty()) add_header("User-Agent: Parley");
    for (const auto& [name, value] : hop_.headers) {
      std::string line = name;
      line += value.empty() ? ";" : ": ";
      line += value;
      add_header(line);
    }
    set(CURLOPT_HTTPHEADER, headers_.get());
  }

  void add_header(const std::string& line) {
    curl_slist* longer = curl_slist_append(headers_.get(), line.c_str());
    if (longer == nullptr) throw std::bad_alloc();
    static_cast<void>(headers_.release());
    headers_.reset(longer);
  }

  void conclude(CURLcode code) {
    using Stop = ResponseReader::Stop;
    const Stop stop = reader_.stopped_because();
    if (stop == Stop::bad_head) return end(FetchResponse::End::refused, reader_.response().error);
    if (stop == Stop::by_consumer) return end(FetchResponse::End::stopped, "The request was stopped.");
    if (code == CURLE_OK || stop != Stop::none) return end(FetchResponse::End::complete, {});
    if (!gate_.refusal().empty() && !gate_.opened()) return end(FetchResponse::End::refused, gate_.refusal());
    if (code == CURLE_OPERATION_TIMEDOUT) return end_unconnected();
    end(FetchResponse::End::failed, transfer_error(code, error_.data(), hop_.url));
  }

  void end_late() {
    end(FetchResponse::End::timed_out,
        hop_.url.origin() + " did not answer in full within the time allowed.");
  }

  void end_unconnected() {
    end(FetchResponse::End::timed_out, hop_.url.origin() + " could not be connected to within " +
                                           std::to_string(request_.connect_timeout.count()) + " ms.");
  }

  void end(FetchResponse::End how, std::string sentence) {
    reader_.response().end = how;
    reader_.response().error = std::move(sentence);
  }

  const FetchRequest& request_;
  const Hop& hop_;
  AddressGate& gate_;
  ResponseReader& reader_;
  std::array<char, CURL_ERROR_SIZE> error_{};
  std::unique_ptr<curl_slist, ListCleanup> headers_;
  // The order of destruction: the transfer before the connections that it used.
  std::unique_ptr<CURLM, MultiCleanup> multi_{curl_multi_init()};
  std::unique_ptr<CURL, EasyCleanup> easy_{curl_easy_init()};
};

}  // namespace

void transfer(const FetchRequest& request, const Hop& hop, AddressGate& gate, ResponseReader& reader) {
  Transfer(request, hop, gate, reader).run();
}

}  // namespace parley::orchestration::fetch
