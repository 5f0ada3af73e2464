#include "app/http/http_server.h"

#include <sys/resource.h>

#include <algorithm>
#include <exception>
#include <list>
#include <utility>

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/redirect_error.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/use_awaitable.hpp>

#include "app/http/bind_address.h"
#include "app/http/connection.h"
#include "app/http/deadline.h"
#include "app/http/failure.h"
#include "app/http/peer_owner.h"
#include "app/http/receive_budget.h"
#include "orchestration/turn/wakeup.h"

namespace parley::app::http {
namespace {

namespace asio = boost::asio;
using asio::ip::tcp;
using boost::system::error_code;

// Kept back for the database, model files and log when connections take all others.
constexpr std::size_t kReservedDescriptors = 64;
constexpr std::chrono::milliseconds kAcceptPause{100};
constexpr std::chrono::seconds kRefusalPause{60};
constexpr std::chrono::milliseconds kRoomPause{1};  // for a closed connection to leave

std::size_t connections_allowed(std::size_t wanted) {
  rlimit descriptors{};
  if (getrlimit(RLIMIT_NOFILE, &descriptors) != 0 || descriptors.rlim_cur == RLIM_INFINITY) return wanted;
  const auto all = static_cast<std::size_t>(descriptors.rlim_cur);
  return std::clamp<std::size_t>(all > kReservedDescriptors ? all - kReservedDescriptors : 1, 1, wanted);
}

class AsioHttpServer : public HttpServer {
 public:
  AsioHttpServer(const asio::any_io_executor& executor, tcp::acceptor acceptor, const HttpLimits& limits,
                 const std::optional<UserRange>& refused)
      : executor_(executor),
        acceptor_(std::move(acceptor)),
        endpoint_(acceptor_.local_endpoint()),
        limits_(limits),
        refused_(refused),
        budget_(std::make_shared<ReceiveBudget>(limits)),
        changed_(executor),
        drain_(executor, [this] { abort_all(); }) {
    limits_.max_connections = connections_allowed(limits.max_connections);
  }

  std::uint16_t port() const override { return endpoint_.port(); }
  bool loopback_only() const override { return endpoint_.address().is_loopback(); }
  std::string address() const override { return endpoint_.address().to_string(); }
  std::size_t num_connections() const override { return connections_.size(); }

  asio::awaitable<void> run(Dispatcher& dispatcher) override {
    error_code error;
    while (!stopping_) {
      co_await acceptor_.async_wait(tcp::acceptor::wait_read,
                                    asio::redirect_error(asio::use_awaitable, error));
      co_await make_room();
      if (!stopping_) co_await accept_one(dispatcher);
    }
    while (!connections_.empty()) co_await changed_.wait();
    drain_.disarm();
  }

  void stop(std::chrono::milliseconds drain) override {
    if (std::exchange(stopping_, true)) return;
    error_code ignored;
    acceptor_.close(ignored);
    for (Connection& connection : connections_) connection.finish();
    drain_.arm(drain);
    changed_.notify();
  }

 private:
  // Somebody is at the door and all places are taken: the connection that has idled longest has to go; when
  // none idles, clients wait in the system's queue.
  asio::awaitable<void> make_room() {
    while (!stopping_ && connections_.size() >= limits_.max_connections) {
      const auto idle = std::find_if(connections_.begin(), connections_.end(),
                                     [](const Connection& connection) { return connection.idle(); });
      if (idle != connections_.end()) idle->finish();
      const auto time = idle == connections_.end() ? kAcceptPause : kRoomPause;
      co_await pause(time);
    }
  }

  asio::awaitable<void> accept_one(Dispatcher& dispatcher) {
    error_code error;
    tcp::socket socket = co_await acceptor_.async_accept(asio::redirect_error(asio::use_awaitable, error));
    if (stopping_) co_return;
    if (!error && refused_ && !may_connect(socket, *refused_)) {
      tell_of_refusal(dispatcher);
    } else if (!error) {
      start(std::move(socket), dispatcher);
    } else if (error != asio::error::connection_aborted) {
      co_await pause(kAcceptPause);  // out of descriptors or memory: trying at once again would spin
    }
  }

  // Once a minute: who is refused may try again and again.
  void tell_of_refusal(Dispatcher& dispatcher) {
    const auto now = std::chrono::steady_clock::now();
    if (told_ && now < *told_ + kRefusalPause) return;
    told_ = now;
    dispatcher.on_failure({}, "it came from a program of a tool, or from one that had closed it already");
  }

  asio::awaitable<void> pause(std::chrono::milliseconds time) {
    error_code ignored;
    asio::steady_timer timer(executor_, time);
    co_await timer.async_wait(asio::redirect_error(asio::use_awaitable, ignored));
  }

  void start(tcp::socket socket, Dispatcher& dispatcher) {
    const auto place =
        connections_.emplace(connections_.end(), std::move(socket), limits_, dispatcher, budget_);
    asio::co_spawn(executor_, place->run(), [this, place, &dispatcher](const std::exception_ptr& failure) {
      if (failure) dispatcher.on_failure(place->request().head, words_of(failure));
      connections_.erase(place);
      changed_.notify();
    });
  }

  void abort_all() {
    for (Connection& connection : connections_) connection.abort();
  }

  asio::any_io_executor executor_;
  tcp::acceptor acceptor_;
  tcp::endpoint endpoint_;
  HttpLimits limits_;
  std::optional<UserRange> refused_;
  ReceiveBudgetPtr budget_;
  std::optional<std::chrono::steady_clock::time_point> told_;  // of the last refusal
  std::list<Connection> connections_;  // oldest first; each stays in place until its coroutine has ended
  orchestration::turn::Wakeup changed_;
  Deadline drain_;
  bool stopping_ = false;
};

}  // namespace

std::unique_ptr<HttpServer> make_http_server(const asio::any_io_executor& executor, const std::string& host,
                                             std::uint16_t port, const HttpLimits& limits,
                                             const std::optional<UserRange>& refused) {
  return std::make_unique<AsioHttpServer>(executor, listen_on(executor, host, port), limits, refused);
}

}  // namespace parley::app::http
