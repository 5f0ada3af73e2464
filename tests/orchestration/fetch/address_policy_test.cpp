#include "orchestration/fetch/address_policy.h"

#include <gtest/gtest.h>

#include <fstream>
#include <set>
#include <string>

namespace parley::orchestration::fetch {
namespace {

bool is_public(const std::string& text) { return is_public_address(boost::asio::ip::make_address(text)); }

// The golden is what Python's ipaddress says. We may be stricter, where the difference is named here; never
// looser.
TEST(AddressPolicyTest, IsNeverLooserThanPythonsIpaddress) {
  const std::set<std::string> stricter = {
      "192.0.0.", "192.88.99.", "2002:", "64:ff9b:", "::ffff:192.88.99.", "2001:"};
  std::ifstream golden(PARLEY_SOURCE_DIR "/tests/goldens/fetch/addresses.txt");
  std::string address;
  std::string global;
  int count = 0;
  int open = 0;
  while (golden >> address >> global) {
    ++count;
    open += is_public(address) ? 1 : 0;
    if (is_public(address)) {
      EXPECT_EQ(global, "yes") << address;
    } else if (global == "yes") {
      const bool known = std::any_of(stricter.begin(), stricter.end(),
                                     [&](const std::string& prefix) { return address.starts_with(prefix); });
      const auto value = boost::asio::ip::make_address(address);
      const bool outside_global_unicast = value.is_v6() && (value.to_v6().to_bytes()[0] & 0xE0) != 0x20;
      EXPECT_TRUE(known || outside_global_unicast) << address;
    }
  }
  EXPECT_GT(count, 250);
  EXPECT_GT(open, 60);
}

TEST(AddressPolicyTest, LetsServersOfTheInternetThrough) {
  for (const char* address :
       {"1.1.1.1", "8.8.8.8", "93.184.216.34", "100.63.255.255", "100.128.0.0", "172.15.255.255",
        "172.32.0.0", "192.0.1.1", "198.20.0.1", "223.255.255.255", "2606:4700:4700::1111",
        "2a00:1450:4001:80b::200e", "2620:fe::fe", "::ffff:8.8.8.8", "64:ff9b::8.8.8.8"}) {
    EXPECT_TRUE(is_public(address)) << address;
  }
}

TEST(AddressPolicyTest, RefusesMetadataServices) {
  for (const char* address : {"169.254.169.254", "169.254.170.2", "100.100.100.200", "192.0.0.192",
                              "168.63.129.16", "fd00:ec2::254", "fd20:ce::254", "::ffff:169.254.169.254",
                              "64:ff9b::a9fe:a9fe", "2002:a9fe:a9fe::1", "fe80::a9fe:a9fe"}) {
    EXPECT_FALSE(is_public(address)) << address;
  }
}

TEST(AddressPolicyTest, RefusesVersion4InsideVersion6) {
  for (const char* address :
       {"::ffff:127.0.0.1", "::127.0.0.1", "::ffff:0:127.0.0.1", "64:ff9b::10.0.0.1", "64:ff9b:1::8.8.8.8",
        "2002:7f00:1::", "2001:0:7f00:1::", "::ffff:10.1.2.3", "::8.8.8.8"}) {
    EXPECT_FALSE(is_public(address)) << address;
  }
}

TEST(AddressPolicyTest, RefusesAddressesWithAZone) {
  EXPECT_FALSE(is_public("fe80::1%1"));
  EXPECT_FALSE(is_public("2606:4700:4700::1111%1"));
}

}  // namespace
}  // namespace parley::orchestration::fetch
