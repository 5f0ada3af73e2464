#include "orchestration/fetch/address_gate.h"

#include <netinet/in.h>

#include <cstring>
#include <optional>

#include "orchestration/fetch/address_policy.h"

namespace parley::orchestration::fetch {
namespace {

namespace ip = boost::asio::ip;

std::optional<ip::address> address_of(const sockaddr& generic) {
  if (generic.sa_family == AF_INET) {
    sockaddr_in v4{};
    std::memcpy(&v4, &generic, sizeof v4);
    return ip::address_v4(ntohl(v4.sin_addr.s_addr));
  }
  if (generic.sa_family != AF_INET6) return std::nullopt;
  sockaddr_in6 v6{};
  std::memcpy(&v6, &generic, sizeof v6);
  ip::address_v6::bytes_type bytes;
  std::memcpy(bytes.data(), &v6.sin6_addr, bytes.size());
  return ip::address_v6(bytes, v6.sin6_scope_id);
}

}  // namespace

int AddressGate::open_socket(int type, int protocol, const sockaddr& address) {
  if (!allows(address)) return -1;
  opened_ = true;
  return ::socket(address.sa_family, type | SOCK_CLOEXEC, protocol);
}

bool AddressGate::allows(const sockaddr& generic) {
  const std::optional<ip::address> address = address_of(generic);
  if (!address) {
    refusal_ = "The address of " + url_.host() + " is of no kind that can be checked.";
    return false;
  }
  const AddressKind kind = is_public_address(*address) ? AddressKind::open : AddressKind::closed;
  if (trust_ == Trust::none && kind == AddressKind::closed) {
    refusal_ =
        url_.origin() + " means " + address->to_string() +
        ", which is not an address of the public internet, so the request was refused. Whoever runs this "
        "server can allow it by naming exactly this origin in its tools file.";
    return false;
  }
  if (trust_ == Trust::operator_wrote_it && !memory_.allows(url_.origin(), kind)) {
    refusal_ = url_.origin() + " was an address of the public internet before and now means " +
               address->to_string() +
               ", so the request was refused. If this is right, the server has to be restarted.";
    return false;
  }
  return true;
}

}  // namespace parley::orchestration::fetch
