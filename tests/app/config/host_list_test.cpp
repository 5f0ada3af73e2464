#include "app/config/host_list.h"

#include <gtest/gtest.h>

namespace parley::app::config {
namespace {

using Hosts = std::vector<std::string>;

Hosts hosts_of(std::string_view text) {
  Hosts hosts;
  EXPECT_EQ(read_host_list(text, hosts), std::nullopt) << text;
  return hosts;
}

TEST(HostList, SpacesCaseAndTheLastDotMeanNothing) {
  EXPECT_EQ(hosts_of("a.example, b.example"), (Hosts{"a.example", "b.example"}));
  EXPECT_EQ(hosts_of("\t Chat.Example. ,dev:3000 ,, box.example.:8080,"),
            (Hosts{"chat.example", "dev:3000", "box.example:8080"}));
  EXPECT_EQ(hosts_of(""), Hosts{});
  EXPECT_EQ(hosts_of(" , "), Hosts{});
}

TEST(HostList, AddressesAreInBrackets) {
  EXPECT_EQ(hosts_of("FD00::5, [fd00::6], [fd00::7]:8080, 10.0.0.1:80"),
            (Hosts{"[fd00::5]", "[fd00::6]", "[fd00::7]:8080", "10.0.0.1:80"}));
}

TEST(HostList, WhatIsNoNameIsRefusedAndSaid) {
  for (const char* entry : {"http://a.example", "a.example/", "a b", "*.example", "a.example:", "a.example:x",
                            "a.example:70000", "a:1:x", "me@a.example", ".", "..", "a..b", ".a", "[::1", "[]",
                            "[a.example]", "[::1]x", "\xC3\xA4.example"}) {
    Hosts hosts = {"before"};
    const auto problem = read_host_list(std::string("b.example, ") + entry, hosts);
    ASSERT_TRUE(problem) << entry;
    EXPECT_NE(problem->find(std::string("not \"") + entry + '"'), std::string::npos) << *problem;
    EXPECT_EQ(hosts, Hosts{"before"}) << entry;
  }
}

}  // namespace
}  // namespace parley::app::config
