// Who can make a server run its tools.
#include "app/cli/tool_reach.h"

#include <gtest/gtest.h>

namespace parley::app::cli {
namespace {

std::string reason_for(const std::string& host, std::vector<std::string> allowed_hosts = {}) {
  config::Config config;
  config.host = host;
  config.allowed_hosts = std::move(allowed_hosts);
  return why_tools_are_off(config);
}

TEST(ToolReachTest, ToolsAreOnWhereOnlyThisMachineCanAsk) {
  EXPECT_EQ(why_tools_are_off({}), "");
  for (const char* host : {"127.0.0.1", "127.8.8.8", "::1", "[::1]", "localhost"})
    EXPECT_EQ(reason_for(host), "");
  EXPECT_EQ(reason_for("127.0.0.1", {"localhost:9000", "LOCALHOST", "chat.localhost", "127.0.0.1:1",
                                     "[::1]:8080", "[::1]", "::1"}),
            "");
}

TEST(ToolReachTest, ToolsAreOffWhereOtherMachinesCanAskWithoutAKey) {
  for (const char* host : {"0.0.0.0", "::", "192.168.1.5", "fd00::5", "[fd00::5]", "myhost"})
    EXPECT_NE(reason_for(host), "") << host;
  for (const char* name : {"chat.example.org", "chat.example.org:443", "10.0.0.1:8080", "[fd00::5]:80",
                           "localhost.example.org", "notlocalhost"})
    EXPECT_NE(reason_for("127.0.0.1", {"localhost", name}), "") << name << ": a proxy brings its visitors";
}

TEST(ToolReachTest, TheReasonSaysWhatReachesAndHowToHaveTools) {
  const std::string proxied = reason_for("127.0.0.1", {"chat.example.org"});
  EXPECT_NE(proxied.find("allowed_hosts has chat.example.org"), std::string::npos) << proxied;
  EXPECT_NE(proxied.find("set access_key (PARLEY_ACCESS_KEY)"), std::string::npos) << proxied;
  EXPECT_NE(reason_for("0.0.0.0").find("listens on 0.0.0.0"), std::string::npos);
}

TEST(ToolReachTest, AnAccessKeyHasThemOnAnywhere) {
  config::Config config;
  config.host = "0.0.0.0";
  config.allowed_hosts = {"chat.example.org"};
  config.access_key = "long and random";
  EXPECT_EQ(why_tools_are_off(config), "");
}

}  // namespace
}  // namespace parley::app::cli
