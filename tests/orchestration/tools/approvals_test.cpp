#include "orchestration/tools/approvals.h"

#include <gtest/gtest.h>

#include "tests/orchestration/tools/fake_tool.h"

namespace parley::orchestration::tools {
namespace {

TEST(ApprovalsTest, AsksUntilSomebodySaysYes) {
  Approvals approvals;
  const ToolSpec spec = spec_of("a");
  EXPECT_EQ(approvals.decide(spec, "chat"), Decision::ask);
  approvals.approve(spec, "chat", ApprovalScope::chat);
  EXPECT_EQ(approvals.decide(spec, "chat"), Decision::automatic);
  EXPECT_EQ(approvals.decide(spec, "other"), Decision::ask);
  EXPECT_TRUE(approvals.always().empty());
  approvals.forget_chat("chat");
  EXPECT_EQ(approvals.decide(spec, "chat"), Decision::ask);
}

TEST(ApprovalsTest, AlwaysHoldsInEveryChatAndCanBeKept) {
  Approvals approvals;
  const ToolSpec spec = spec_of("a", "mcp:files");
  approvals.approve(spec, "chat", ApprovalScope::always);
  EXPECT_EQ(approvals.decide(spec, "other"), Decision::automatic);
  const Approvals restored(ToolPolicy(), approvals.always());
  EXPECT_EQ(restored.decide(spec, "other"), Decision::automatic);
  EXPECT_EQ(restored.decide(spec, ""), Decision::ask) << "a program is no chat";
}

TEST(ApprovalsTest, AChangedDefinitionAsksAgain) {
  Approvals approvals;
  approvals.approve(spec_of("a", "mcp:files", "old"), "chat", ApprovalScope::always);
  EXPECT_EQ(approvals.decide(spec_of("a", "mcp:files", "new"), "chat"), Decision::ask);
  EXPECT_EQ(approvals.decide(spec_of("a", "mcp:other", "old"), "chat"), Decision::ask);
  EXPECT_EQ(approvals.decide(spec_of("b", "mcp:files", "old"), "chat"), Decision::ask);
  EXPECT_EQ(approvals.decide(spec_of("a", "mcp:files", "old"), "chat"), Decision::automatic);
}

TEST(ApprovalsTest, WithoutAHashThereIsNothingToBindAnAnswerTo) {
  Approvals approvals;
  approvals.approve(spec_of("a", "command", ""), "chat", ApprovalScope::always);
  EXPECT_EQ(approvals.decide(spec_of("a", "command", ""), "chat"), Decision::ask);
}

TEST(ApprovalsTest, ADenyingRuleCannotBeAnsweredAway) {
  Approvals approvals;
  const ToolSpec spec = spec_of("a");
  approvals.approve(spec, "chat", ApprovalScope::always);
  approvals.set_policy(ToolPolicy({{.tool = "a", .source = {}, .decision = Decision::deny}}));
  EXPECT_EQ(approvals.decide(spec, "chat"), Decision::deny);
}

TEST(ApprovalsTest, AnswersCanBeTakenBack) {
  Approvals approvals;
  const ToolSpec spec = spec_of("a");
  approvals.approve(spec, "chat", ApprovalScope::always);
  approvals.approve(spec, "chat", ApprovalScope::chat);
  approvals.approve(spec_of("b"), "chat", ApprovalScope::always);
  approvals.withdraw("a");
  EXPECT_EQ(approvals.decide(spec, "chat"), Decision::ask);
  EXPECT_EQ(approvals.decide(spec_of("b"), "chat"), Decision::automatic);
}

}  // namespace
}  // namespace parley::orchestration::tools
