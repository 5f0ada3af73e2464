#include "orchestration/fetch/address_gate.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <netinet/in.h>
#include <sys/un.h>
#include <unistd.h>

#include <variant>

#include <boost/asio/ip/tcp.hpp>

namespace parley::orchestration::fetch {
namespace {

// The descriptor's flags, or -1 when the gate was shut.
int opened(AddressGate& gate, const std::string& address) {
  const boost::asio::ip::tcp::endpoint endpoint(boost::asio::ip::make_address(address), 80);
  const int handle = gate.open_socket(SOCK_STREAM, IPPROTO_TCP, *endpoint.data());
  if (handle < 0) return -1;
  const int flags = ::fcntl(handle, F_GETFD);
  ::close(handle);
  return flags;
}

class AddressGateTest : public testing::Test {
 protected:
  AddressGate gate(Trust trust) { return AddressGate(url_, trust, memory_); }
  Url url_ = std::get<Url>(Url::parse("http://api.example/x"));
  OriginMemory memory_;
};

TEST_F(AddressGateTest, OpensSocketsThatProgramsDoNotInherit) {
  AddressGate open = gate(Trust::none);
  EXPECT_EQ(opened(open, "8.8.8.8"), FD_CLOEXEC);
  EXPECT_EQ(opened(open, "2606:4700:4700::1111"), FD_CLOEXEC);
  EXPECT_TRUE(open.opened());
  EXPECT_EQ(open.refusal(), "");
}

TEST_F(AddressGateTest, ShutsOnClosedAddressesUnlessTheOperatorNamedTheOrigin) {
  for (const char* address : {"127.0.0.1", "10.0.0.1", "::1", "::ffff:127.0.0.1", "fe80::1%1"}) {
    AddressGate shut = gate(Trust::none);
    EXPECT_EQ(opened(shut, address), -1) << address;
    EXPECT_FALSE(shut.opened());
    EXPECT_NE(shut.refusal().find("http://api.example means "), std::string::npos);
  }
  AddressGate open = gate(Trust::operator_wrote_it);
  EXPECT_EQ(opened(open, "127.0.0.1"), FD_CLOEXEC);
  EXPECT_EQ(opened(open, "::1"), FD_CLOEXEC);
}

TEST_F(AddressGateTest, ShutsWhenATrustedNameMovesFromThePublicInternetToAPrivateNetwork) {
  AddressGate before = gate(Trust::operator_wrote_it);
  EXPECT_EQ(opened(before, "8.8.8.8"), FD_CLOEXEC);
  AddressGate after = gate(Trust::operator_wrote_it);
  EXPECT_EQ(opened(after, "127.0.0.1"), -1);
  EXPECT_NE(after.refusal().find("now means 127.0.0.1"), std::string::npos);
  EXPECT_EQ(opened(after, "8.8.4.4"), FD_CLOEXEC);
}

TEST_F(AddressGateTest, ShutsOnWhatIsNoInternetAddress) {
  sockaddr_un local{};
  local.sun_family = AF_UNIX;
  AddressGate shut = gate(Trust::operator_wrote_it);
  EXPECT_EQ(shut.open_socket(SOCK_STREAM, 0, reinterpret_cast<const sockaddr&>(local)), -1);
  EXPECT_NE(shut.refusal(), "");
}

}  // namespace
}  // namespace parley::orchestration::fetch
