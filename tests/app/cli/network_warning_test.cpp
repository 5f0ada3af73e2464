#include "app/cli/network_warning.h"

#include <gtest/gtest.h>

#include "orchestration/tools/read_tools_file.h"

namespace parley::app::cli {
namespace {

std::string warning_of(const std::string& text) {
  const auto environment = [](const std::string&) { return std::optional<std::string>(); };
  return network_warning(orchestration::tools::parse_tools_file(text, "/nowhere", environment));
}

TEST(NetworkWarningTest, NamesTheProgramsThatCanReachTheServer) {
  const std::string warning = warning_of(R"({
      "tools": {"plain": {"command": ["x"]}, "net": {"command": ["x"], "sandbox": {"network": true}},
                "bare": {"command": ["x"], "sandbox": "none"}, "clock": {"builtin": "current_time"},
                "web": {"http": {"url": "http://a.example"}}},
      "mcpServers": {"files": {"command": "x"}, "off": {"command": "x", "disabled": true},
                     "quiet": {"command": "x", "sandbox": {"network": false}}, "far": {"url": "http://a.example"}},
      "discover": [{"command": ["l"], "call": ["c"], "sandbox": {"network": true}}]})");
  EXPECT_NE(warning.find("(mcp:files, net, bare, discover:1)"), std::string::npos) << warning;
}

TEST(NetworkWarningTest, SaysNothingWhereThereIsNothingToSay) {
  EXPECT_EQ(
      warning_of(
          R"({"tools": {"plain": {"command": ["x"]}}, "mcpServers": {"far": {"url": "http://a.example"}}})"),
      "");
}

TEST(NetworkWarningTest, IsOneLineHoweverManyThereAre) {
  std::string servers;
  for (int i = 0; i < 30; ++i)
    servers += (i == 0 ? "" : ",") + ("\"s" + std::to_string(i)) + R"(": {"command": "x"})";
  const std::string warning = warning_of("{\"mcpServers\": {" + servers + "}}");
  EXPECT_NE(warning.find(" and 20 more)"), std::string::npos) << warning;
}

}  // namespace
}  // namespace parley::app::cli
