#pragma once
// Listens on one port and runs a Connection for each client. Lives on the I/O thread.
// The constructor function throws std::runtime_error when the address cannot be bound: it names the address
// and says what to do.

#include <chrono>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/awaitable.hpp>

#include "app/http/dispatcher.h"
#include "app/http/limits.h"

namespace parley::app::http {

class HttpServer {
 public:
  virtual ~HttpServer() = default;
  virtual std::uint16_t port() const = 0;
  virtual bool loopback_only() const = 0;
  virtual std::string address() const = 0;  // numeric, an IPv6 one without brackets
  virtual std::size_t num_connections() const = 0;

  // Accepts until stop(); returns when all connections have ended.
  virtual boost::asio::awaitable<void> run(Dispatcher& dispatcher) = 0;
  // Closes the port and idle connections now, what is left after `drain`.
  virtual void stop(std::chrono::milliseconds drain) = 0;
};

// `host`: an address, or a name that means one of this machine. Binds and listens at once. `refused`: users
// of this machine whose programs are not served; for one that listens on loopback.
std::unique_ptr<HttpServer> make_http_server(const boost::asio::any_io_executor& executor,
                                             const std::string& host, std::uint16_t port,
                                             const HttpLimits& limits,
                                             const std::optional<UserRange>& refused = {});

}  // namespace parley::app::http
