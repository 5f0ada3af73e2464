#include "app/http/bind_address.h"

#include <stdexcept>

#include <boost/system/error_code.hpp>

namespace parley::app::http {

namespace asio = boost::asio;
using asio::ip::tcp;
using boost::system::error_code;

namespace {

std::string shown(const std::string& host, std::uint16_t port) {
  const bool ipv6 = host.find(':') != std::string::npos && host.front() != '[';
  return (ipv6 ? "[" + host + "]" : host) + ":" + std::to_string(port);
}

asio::ip::address resolve(const asio::any_io_executor& executor, const std::string& host) {
  const bool bracketed = host.size() > 2 && host.front() == '[' && host.back() == ']';
  error_code error;
  auto address = asio::ip::make_address(bracketed ? host.substr(1, host.size() - 2) : host, error);
  if (!error) return address;
  if (host == "localhost") return asio::ip::address_v4::loopback();
  tcp::resolver resolver(executor);
  const auto found = resolver.resolve(host, "", error);
  if (error || found.empty()) {
    throw std::runtime_error("Cannot listen on \"" + host +
                             "\": it is neither an address nor a known name. Use " +
                             "127.0.0.1 for this machine only, or 0.0.0.0 for all its addresses.");
  }
  return found.begin()->endpoint().address();
}

std::string advice(const error_code& error) {
  if (error == asio::error::address_in_use) {
    return "the port is in use. Stop the other program, or choose another port (0 takes a free one).";
  }
  if (error == asio::error::access_denied) return "ports below 1024 are for root. Choose a higher one.";
  if (error == boost::system::errc::address_not_available) {
    return "this machine has no such address. Use 127.0.0.1, or one that `ip address` shows.";
  }
  return error.message() + ".";
}

}  // namespace

tcp::acceptor listen_on(const asio::any_io_executor& executor, const std::string& host, std::uint16_t port) {
  const tcp::endpoint endpoint(resolve(executor, host), port);
  tcp::acceptor acceptor(executor);
  error_code error;
  acceptor.open(endpoint.protocol(), error);
  if (!error) acceptor.set_option(tcp::acceptor::reuse_address(true), error);
  if (!error) acceptor.bind(endpoint, error);
  if (!error) acceptor.listen(asio::socket_base::max_listen_connections, error);
  if (error) throw std::runtime_error("Cannot listen on " + shown(host, port) + ": " + advice(error));
  return acceptor;
}

}  // namespace parley::app::http
