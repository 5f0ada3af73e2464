#include "app/server/server.h"

#include <algorithm>
#include <stdexcept>
#include <utility>

#include <boost/asio/co_spawn.hpp>

#include "app/http/failure.h"
#include "app/http/http_server.h"
#include "app/server/site.h"
#include "orchestration/turn/wakeup.h"

namespace parley::app::server {
namespace {

namespace asio = boost::asio;

protocol::HelloFrame hello_of(const ServerOptions& options, const ServerParts& parts) {
  protocol::HelloFrame hello;
  hello.server = "parley " + options.version;
  hello.instance = parts.hub.instance();
  hello.limits = parts.limits;
  hello.temperature = parts.defaults.sampling.temperature;
  if (parts.defaults.max_tokens > 0) hello.max_tokens = parts.defaults.max_tokens;
  return hello;
}

std::function<void(const std::string&)> log_of(const ServerParts& parts) {
  if (!parts.log) return [](const std::string&) {};
  // One line each, whatever a client has put into it.
  return [log = parts.log](const std::string& text) {
    std::string line = text;
    std::replace_if(
        line.begin(), line.end(), [](unsigned char c) { return c < 0x20 || c == 0x7f; }, '?');
    log(line);
  };
}

class AsioServer : public Server {
 public:
  AsioServer(const asio::any_io_executor& executor, const ServerOptions& options, const ServerParts& parts,
             std::unique_ptr<http::HttpServer> http)
      : executor_(executor),
        http_(std::move(http)),
        model_watch_(executor, parts.model),
        context_{executor,
                 parts.hub,
                 parts.model,
                 model_watch_,
                 parts.tools,
                 hello_of(options, parts),
                 options.session_limits,
                 log_of(parts)},
        site_(options, parts, context_, access_of(options), [this] { return http_->num_connections(); }) {}

  std::uint16_t port() const override { return http_->port(); }

  asio::awaitable<void> run() override {
    auto observe = [this] { site_.observe_engine(); };
    bool watching = true;
    auto when_ended = [&watching, this](const std::exception_ptr& failure) {
      if (failure) context_.log("watching the model failed: " + http::words_of(failure));
      watching = false;
      watch_ended_.notify();
    };
    asio::co_spawn(executor_, model_watch_.run(observe), when_ended);
    co_await http_->run(site_);
    model_watch_.stop();
    while (watching) co_await watch_ended_.wait();
  }

  void stop(std::chrono::milliseconds drain) override {
    http_->stop(drain);
    site_.sockets().close_all();
  }

 private:
  http::AccessOptions access_of(const ServerOptions& options) const {
    http::AccessOptions access;
    access.bound_host = http_->address();
    access.port = http_->port();
    access.allowed_hosts = options.allowed_hosts;
    access.access_key = options.access_key;
    return access;
  }

  asio::any_io_executor executor_;
  std::unique_ptr<http::HttpServer> http_;
  ModelWatch model_watch_;
  SessionContext context_;
  Site site_;
  orchestration::turn::Wakeup watch_ended_{executor_};
};

}  // namespace

std::unique_ptr<Server> make_server(const asio::any_io_executor& executor, const ServerOptions& options,
                                    const ServerParts& parts) {
  auto http = http::make_http_server(executor, options.host, options.port, options.http_limits,
                                     options.refused_users);
  if (options.access_key.empty() && !http->loopback_only()) {
    throw std::runtime_error("Refusing to listen on " + options.host +
                             ": other machines could reach it, and no access key is set. Set access_key "
                             "(PARLEY_ACCESS_KEY) to a long random text, or listen on 127.0.0.1.");
  }
  return std::make_unique<AsioServer>(executor, options, parts, std::move(http));
}

}  // namespace parley::app::server
