#pragma once
// Whose program is at the other end of a connection from this machine, as the kernel's table of connections
// says it. Plain functions, any thread; reading the table takes some milliseconds where thousands are open.

#include <sys/types.h>

#include <optional>
#include <string_view>

#include <boost/asio/ip/tcp.hpp>

#include "app/http/limits.h"

namespace parley::app::http {

// The peer's user, who is known as long as the peer's end is open. Nullopt: it is not (closed since, or of
// another machine).
std::optional<uid_t> owner_of_peer(const boost::asio::ip::tcp::socket& socket);

// A line of /proc/net/tcp or tcp6 that tells of the connection `from` -> `to` and is established: its user.
std::optional<uid_t> user_in_line(std::string_view line, const boost::asio::ip::tcp::endpoint& from,
                                  const boost::asio::ip::tcp::endpoint& to);

// False: the peer runs as one of `refused`, or has closed already, so that nobody can tell.
bool may_connect(const boost::asio::ip::tcp::socket& socket, const UserRange& refused);

}  // namespace parley::app::http
