#include "orchestration/fetch/address_policy.h"

#include <algorithm>
#include <array>
#include <cstddef>

#include <boost/asio/ip/network_v4.hpp>
#include <boost/asio/ip/network_v6.hpp>

namespace parley::orchestration::fetch {
namespace {

namespace ip = boost::asio::ip;

const std::array kClosedV4 = {
    ip::make_network_v4("0.0.0.0/8"),         // this network
    ip::make_network_v4("10.0.0.0/8"),        // private
    ip::make_network_v4("100.64.0.0/10"),     // carrier-grade NAT; a cloud's metadata at 100.100.100.200
    ip::make_network_v4("127.0.0.0/8"),       // loopback
    ip::make_network_v4("168.63.129.16/32"),  // a cloud's host agent, although in a public range
    ip::make_network_v4("169.254.0.0/16"),    // link-local, metadata
    ip::make_network_v4("172.16.0.0/12"),     // private
    ip::make_network_v4("192.0.0.0/24"),      // protocol assignments; metadata at 192.0.0.192
    ip::make_network_v4("192.0.2.0/24"),      // documentation
    ip::make_network_v4("192.88.99.0/24"),    // 6to4 relays
    ip::make_network_v4("192.168.0.0/16"),    // private
    ip::make_network_v4("198.18.0.0/15"),     // benchmarks
    ip::make_network_v4("198.51.100.0/24"),   // documentation
    ip::make_network_v4("203.0.113.0/24"),    // documentation
    ip::make_network_v4("224.0.0.0/4"),       // multicast
    ip::make_network_v4("240.0.0.0/4"),       // reserved, broadcast
};

const auto kGlobalV6 = ip::make_network_v6("2000::/3");  // all that is handed out as global unicast
const std::array kClosedV6 = {
    ip::make_network_v6("2001::/23"),      // protocol assignments: Teredo, ORCHID, benchmarks
    ip::make_network_v6("2001:db8::/32"),  // documentation
    ip::make_network_v6("2002::/16"),      // 6to4
    ip::make_network_v6("3fff::/20"),      // documentation
};
// Both carry an IPv4 address in the last four bytes, and lead there.
const auto kMappedV6 = ip::make_network_v6("::ffff:0:0/96");
const auto kNat64 = ip::make_network_v6("64:ff9b::/96");

bool holds(const ip::network_v4& network, const ip::address_v4& address) {
  return ip::network_v4(address, network.prefix_length()).network() == network.network();
}

bool holds(const ip::network_v6& network, const ip::address_v6& address) {
  const ip::address_v6 plain(address.to_bytes());  // without a zone
  return ip::network_v6(plain, network.prefix_length()).network() == network.network();
}

bool is_public_v4(const ip::address_v4& address) {
  return std::none_of(kClosedV4.begin(), kClosedV4.end(),
                      [&](const auto& net) { return holds(net, address); });
}

ip::address_v4 last_four_bytes(const ip::address_v6& address) {
  const auto bytes = address.to_bytes();
  return ip::address_v4({bytes[12], bytes[13], bytes[14], bytes[15]});
}

}  // namespace

bool is_public_address(const ip::address& address) {
  if (address.is_v4()) return is_public_v4(address.to_v4());
  const ip::address_v6 v6 = address.to_v6();
  if (holds(kMappedV6, v6) || holds(kNat64, v6)) return is_public_v4(last_four_bytes(v6));
  if (v6.scope_id() != 0 || !holds(kGlobalV6, v6)) return false;
  return std::none_of(kClosedV6.begin(), kClosedV6.end(), [&](const auto& net) { return holds(net, v6); });
}

}  // namespace parley::orchestration::fetch
