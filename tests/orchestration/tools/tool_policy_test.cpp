#include "orchestration/tools/tool_policy.h"

#include <gtest/gtest.h>

#include "tests/orchestration/tools/config_text.h"
#include "tests/orchestration/tools/fake_tool.h"

namespace parley::orchestration::tools {
namespace {

PermissionRule rule(std::string tool, Decision decision, std::string source = "") {
  return {.tool = std::move(tool), .source = std::move(source), .decision = decision};
}

TEST(ToolPolicyTest, AsksWithoutARule) {
  EXPECT_EQ(ToolPolicy().decide(spec_of("a")), Decision::ask);
  EXPECT_EQ(ToolPolicy({rule("b", Decision::automatic)}).decide(spec_of("a")), Decision::ask);
}

TEST(ToolPolicyTest, TheMostSpecificRuleWinsInAnyOrder) {
  std::vector<PermissionRule> rules = {rule("*", Decision::deny), rule("read_*", Decision::automatic),
                                       rule("read_secret*", Decision::ask),
                                       rule("read_secret_a", Decision::automatic)};
  for (int i = 0; i < 4; ++i) {
    std::rotate(rules.begin(), rules.begin() + 1, rules.end());
    const ToolPolicy policy(rules);
    EXPECT_EQ(policy.decide(spec_of("write")), Decision::deny);
    EXPECT_EQ(policy.decide(spec_of("read_x")), Decision::automatic);
    EXPECT_EQ(policy.decide(spec_of("read_secret_b")), Decision::ask);
    EXPECT_EQ(policy.decide(spec_of("read_secret_a")), Decision::automatic);
  }
}

TEST(ToolPolicyTest, OnATieTheStricterWins) {
  for (const bool reversed : {false, true}) {
    std::vector<PermissionRule> rules = {rule("a*", Decision::automatic), rule("*b", Decision::ask)};
    if (reversed) std::swap(rules[0], rules[1]);
    EXPECT_EQ(ToolPolicy(rules).decide(spec_of("ab")), Decision::ask);
    rules.push_back(rule("?b", Decision::deny));
    EXPECT_EQ(ToolPolicy(rules).decide(spec_of("ab")), Decision::deny);
  }
}

TEST(ToolPolicyTest, RulesOfASourceHoldThereOnlyAndAllOfItBeforeAllOfEverything) {
  const ToolPolicy policy({rule("*", Decision::ask), rule("*", Decision::automatic, "mcp:files")});
  EXPECT_EQ(policy.decide(spec_of("files_read", "mcp:files")), Decision::automatic);
  EXPECT_EQ(policy.decide(spec_of("files_read", "mcp:other")), Decision::ask);
}

TEST(ToolPolicyTest, NamingASourceMakesNoRuleWinOverAnEqualStricterOne) {
  for (const char* tool : {"files_*", "files_read"}) {
    for (const Decision stricter : {Decision::deny, Decision::ask}) {
      const ToolPolicy policy({rule(tool, stricter), rule(tool, Decision::automatic, "mcp:files")});
      EXPECT_EQ(policy.decide(spec_of("files_read", "mcp:files")), stricter) << tool;
    }
  }
}

TEST(ToolPolicyTest, PermissionsHoldAgainstWhatAPastedEntryApproves) {
  const ToolsFile file = read_config(R"({
      "tools": {"weather": {"command": ["ls"], "approval": "auto"}},
      "mcpServers": {"files": {"command": "x", "autoApprove": ["*"]}, "all": {"command": "x", "trust": true}},
      "permissions": [{"tool": "files_*", "decision": "deny"}, {"tool": "weather", "decision": "deny"},
                      {"tool": "all_*", "decision": "ask"}]})");
  const ToolPolicy policy(file.permissions);
  EXPECT_EQ(policy.decide(spec_of("files_read", "mcp:files")), Decision::deny);
  EXPECT_EQ(policy.decide(spec_of("weather", "command")), Decision::deny);
  EXPECT_EQ(policy.decide(spec_of("all_x", "mcp:all")), Decision::ask);
}

TEST(ToolPolicyTest, WhatAFileSaysTogether) {
  const ToolsFile file = read_config(R"({
      "tools": {"safe": {"builtin": "calculator", "approval": "auto"}, "shell_ls": {"command": ["ls"], "approval": "auto"},
                "plain": {"command": ["ls"]}},
      "mcpServers": {"files": {"command": "x", "autoApprove": ["read_*"]}, "g": {"url": "http://g.example", "trust": true}},
      "permissions": [{"tool": "*", "decision": "ask"}, {"tool": "g_delete", "decision": "deny"},
                      {"tool": "safe", "decision": "ask"}]})");
  EXPECT_EQ(issues_of(file), std::vector<std::string>{});
  const ToolPolicy policy(file.permissions);
  EXPECT_EQ(policy.decide(spec_of("shell_ls", "command")), Decision::automatic);
  EXPECT_EQ(policy.decide(spec_of("plain", "command")), Decision::ask);
  EXPECT_EQ(policy.decide(spec_of("files_read_file", "mcp:files")), Decision::automatic);
  EXPECT_EQ(policy.decide(spec_of("files_write", "mcp:files")), Decision::ask);
  EXPECT_EQ(policy.decide(spec_of("files_read_file", "mcp:evil")), Decision::ask);
  EXPECT_EQ(policy.decide(spec_of("g_anything", "mcp:g")), Decision::automatic);
  EXPECT_EQ(policy.decide(spec_of("g_delete", "mcp:g")), Decision::deny);
  EXPECT_EQ(policy.decide(spec_of("safe", "builtin")), Decision::ask) << "the stricter of two for one name";
  EXPECT_EQ(policy.decide(spec_of("shell_ls", "mcp:evil")), Decision::ask);
}

}  // namespace
}  // namespace parley::orchestration::tools
