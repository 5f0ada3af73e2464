#pragma once
// A small site on the real HTTP layer, for tests from outside: runs on a thread of its own.

#include <atomic>
#include <chrono>
#include <memory>
#include <string>
#include <thread>

#include <boost/asio/io_context.hpp>

#include "app/http/dispatcher.h"
#include "app/http/http_server.h"
#include "tests/fakes/eventually.h"

namespace parley::app::http {

// Routes: /echo (body back), /stream (three pieces), /endless (until the client goes), /throw, /throw_late,
// /throw_early (before a handler has it), /forget (no answer), /big (32 MiB), /ws (echo; "close", "flood" and
// "large" are orders). Bodies up to 1000 bytes; /echo of a 5000-byte body with
// "?big".
inline constexpr std::size_t kLargeMessage = 8u << 20;

class TestSite : public Dispatcher {
 public:
  std::variant<Admission, Refusal> admit(const RequestHead& head) override;
  Response render(const Refusal& refusal, const RequestHead* head) override;
  void on_response(int status) override { last_status = status; }
  void on_failure(const RequestHead&, std::string_view) override { ++num_failures; }

  std::atomic<int> last_status{0};
  std::atomic<int> num_failures{0};
  std::atomic<int> num_gone{0};  // clients that left /endless
  WebSocketLimits socket_limits;

 private:
  std::shared_ptr<void> handlers_;  // their types are the source's
};

class RunningSite {
 public:
  explicit RunningSite(const HttpLimits& limits = {}, const WebSocketLimits& socket_limits = {},
                       const std::string& host = "127.0.0.1", const std::optional<UserRange>& refused = {});
  ~RunningSite();

  std::uint16_t port() const { return port_; }
  TestSite& site() { return site_; }
  void stop(std::chrono::milliseconds drain);  // returns at once
  bool wait_until_stopped(std::chrono::milliseconds limit);
  std::size_t num_connections();

 private:
  boost::asio::io_context io_;
  TestSite site_;
  std::unique_ptr<HttpServer> server_;
  std::uint16_t port_ = 0;
  std::atomic<bool> stopped_{false};
  std::thread thread_;
};

// Limits that a test can wait for.
inline HttpLimits quick_limits() {
  HttpLimits limits;
  limits.head_deadline = std::chrono::milliseconds(200);
  limits.idle = std::chrono::milliseconds(200);
  limits.body_rate.grace = std::chrono::milliseconds(200);
  limits.write_stall = std::chrono::milliseconds(300);
  limits.linger = std::chrono::milliseconds(200);
  return limits;
}

using tests::fakes::eventually;

}  // namespace parley::app::http
