#pragma once
// Which addresses belong to the public internet. Everything else (this machine, its networks, cloud metadata,
// multicast, reserved and documentation ranges, and IPv4 of that kind wrapped in IPv6) is refused to requests
// whose target the operator did not write down. Plain functions, any thread; never fails.

#include <boost/asio/ip/address.hpp>

namespace parley::orchestration::fetch {

// After the IANA special-purpose address registries, with doubt on the side of "no".
bool is_public_address(const boost::asio::ip::address& address);

}  // namespace parley::orchestration::fetch
