#pragma once
// Opens the listening socket, for the executor's thread. Throws std::runtime_error that names the address and
// says what to do.

#include <cstdint>
#include <string>

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/ip/address.hpp>
#include <boost/asio/ip/tcp.hpp>

namespace parley::app::http {

boost::asio::ip::tcp::acceptor listen_on(const boost::asio::any_io_executor& executor,
                                         const std::string& host, std::uint16_t port);

}  // namespace parley::app::http
