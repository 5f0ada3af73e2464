#include "tests/app/http/test_site.h"

#include <future>
#include <stdexcept>

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/redirect_error.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/use_awaitable.hpp>

namespace parley::app::http {

namespace asio = boost::asio;

namespace {

Response text(std::string body) {
  Response response;
  response.content_type = "text/plain";
  response.body = std::move(body);
  return response;
}

struct EchoHandler : Handler {
  asio::awaitable<void> handle(Exchange& exchange) override {
    co_await exchange.respond(text(exchange.request().body));
  }
};

struct StreamHandler : Handler {
  asio::awaitable<void> handle(Exchange& exchange) override {
    co_await exchange.begin_stream(text(""));
    for (int i = 0; i < 3; ++i) co_await exchange.send("piece ");
  }
};

struct EndlessHandler : Handler {
  explicit EndlessHandler(TestSite& site) : site_(site) {}

  asio::awaitable<void> handle(Exchange& exchange) override {
    asio::steady_timer end(exchange.executor(), std::chrono::hours(1));
    exchange.watch_client([this, &end] {
      ++site_.num_gone;
      end.cancel();
    });
    co_await exchange.begin_stream(text(""));
    boost::system::error_code ignored;
    co_await end.async_wait(asio::redirect_error(asio::use_awaitable, ignored));
    co_await exchange.send("nobody reads this");
  }

  TestSite& site_;
};

struct ThrowHandler : Handler {
  asio::awaitable<void> handle(Exchange& exchange) override {
    if (exchange.request().head.path == "/throw_late") co_await exchange.begin_stream(text(""));
    throw std::runtime_error("broken on purpose");
  }
};

struct ForgetHandler : Handler {
  asio::awaitable<void> handle(Exchange&) override { co_return; }
};

struct BigHandler : Handler {
  asio::awaitable<void> handle(Exchange& exchange) override {
    co_await exchange.respond(text(std::string(32u << 20, 'x')));
  }
};

struct SocketHandler : Handler {
  explicit SocketHandler(TestSite& site) : site_(site) {}

  asio::awaitable<void> handle(Exchange& exchange) override {
    const auto socket = co_await exchange.accept_web_socket(site_.socket_limits);
    if (socket == nullptr) co_return;
    while (true) {
      const auto message = co_await socket->read();
      if (!message) break;
      if (*message == "close") {
        socket->close(CloseCode::internal_error, "as asked");
      } else if (*message == "flood") {
        bool taken = true;
        const std::string block(1u << 20, 'x');
        for (int i = 0; i < 64 && taken; ++i) taken = co_await socket->write(block);
        if (!taken) ++site_.num_gone;
      } else if (*message == "large") {
        const std::string large(kLargeMessage, 'x');
        co_await socket->write(large);
      } else {
        co_await socket->write(*message);
      }
    }
    ++site_.num_gone;
  }

  TestSite& site_;
};

struct Handlers {
  explicit Handlers(TestSite& site) : endless(site), socket(site) {}
  EchoHandler echo;
  StreamHandler stream;
  EndlessHandler endless;
  ThrowHandler thrower;
  ForgetHandler forget;
  BigHandler big;
  SocketHandler socket;
};

Handler* find(Handlers& handlers, const std::string& path) {
  if (path == "/echo") return &handlers.echo;
  if (path == "/stream") return &handlers.stream;
  if (path == "/endless") return &handlers.endless;
  if (path == "/throw" || path == "/throw_late") return &handlers.thrower;
  if (path == "/forget") return &handlers.forget;
  if (path == "/big") return &handlers.big;
  if (path == "/ws") return &handlers.socket;
  return nullptr;
}

}  // namespace

std::variant<Admission, Refusal> TestSite::admit(const RequestHead& head) {
  if (handlers_ == nullptr) handlers_ = std::make_shared<Handlers>(*this);
  if (head.path == "/throw_early") throw std::runtime_error("broken on purpose");
  Handler* handler = find(*std::static_pointer_cast<Handlers>(handlers_), head.path);
  if (handler == nullptr) return Refusal{404, "Nothing here.", {}};
  return Admission{handler, head.target.ends_with("?big") ? 5000u : 1000u};
}

Response TestSite::render(const Refusal& refusal, const RequestHead*) {
  Response response = text(refusal.message);
  response.status = refusal.status;
  response.fields = refusal.fields;
  return response;
}

RunningSite::RunningSite(const HttpLimits& limits, const WebSocketLimits& socket_limits,
                         const std::string& host, const std::optional<UserRange>& refused)
    : server_(make_http_server(io_.get_executor(), host, 0, limits, refused)), port_(server_->port()) {
  site_.socket_limits = socket_limits;
  asio::co_spawn(io_, server_->run(site_), [this](const std::exception_ptr&) { stopped_ = true; });
  thread_ = std::thread([this] { io_.run(); });
}

RunningSite::~RunningSite() {
  stop(std::chrono::milliseconds(0));
  thread_.join();
}

void RunningSite::stop(std::chrono::milliseconds drain) {
  asio::post(io_, [this, drain] { server_->stop(drain); });
}

bool RunningSite::wait_until_stopped(std::chrono::milliseconds limit) {
  return eventually([this] { return stopped_.load(); }, limit);
}

std::size_t RunningSite::num_connections() {
  std::promise<std::size_t> count;
  asio::post(io_, [&] { count.set_value(server_->num_connections()); });
  return count.get_future().get();
}

}  // namespace parley::app::http
