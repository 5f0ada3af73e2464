#include "orchestration/tools/approvals.h"

#include <gtest/gtest.h>

#include "tests/orchestration/tools/fake_tool.h"

namespace parley::orchestration::tools {
namespace {

constexpr ApprovalTime kNow{std::chrono::seconds(1'796'000'000)};

TEST(ApprovalsTest, AsksUntilSomebodySaysYes) {
  Approvals approvals;
  const ToolSpec spec = spec_of("a");
  EXPECT_EQ(approvals.decide(spec, "chat"), Decision::ask);
  approvals.approve(spec, "chat", ApprovalScope::chat, kNow);
  EXPECT_EQ(approvals.decide(spec, "chat"), Decision::automatic);
  EXPECT_EQ(approvals.decide(spec, "other"), Decision::ask);
  EXPECT_TRUE(approvals.always().empty());
  approvals.forget_chat("chat");
  EXPECT_EQ(approvals.decide(spec, "chat"), Decision::ask);
}

TEST(ApprovalsTest, AlwaysHoldsInEveryChatAndCanBeKept) {
  Approvals approvals;
  const ToolSpec spec = spec_of("a", "mcp:files");
  approvals.approve(spec, "chat", ApprovalScope::always, kNow);
  EXPECT_EQ(approvals.decide(spec, "other"), Decision::automatic);
  const Approvals restored(ToolPolicy(), approvals.always());
  EXPECT_EQ(restored.decide(spec, "other"), Decision::automatic);
  EXPECT_EQ(restored.decide(spec, ""), Decision::ask) << "a program is no chat";
}

TEST(ApprovalsTest, AChangedDefinitionAsksAgain) {
  Approvals approvals;
  approvals.approve(spec_of("a", "mcp:files", "old"), "chat", ApprovalScope::always, kNow);
  EXPECT_EQ(approvals.decide(spec_of("a", "mcp:files", "new"), "chat"), Decision::ask);
  EXPECT_EQ(approvals.decide(spec_of("a", "mcp:other", "old"), "chat"), Decision::ask);
  EXPECT_EQ(approvals.decide(spec_of("b", "mcp:files", "old"), "chat"), Decision::ask);
  EXPECT_EQ(approvals.decide(spec_of("a", "mcp:files", "old"), "chat"), Decision::automatic);
}

TEST(ApprovalsTest, WithoutAHashThereIsNothingToBindAnAnswerTo) {
  Approvals approvals;
  approvals.approve(spec_of("a", "command", ""), "chat", ApprovalScope::always, kNow);
  EXPECT_EQ(approvals.decide(spec_of("a", "command", ""), "chat"), Decision::ask);
}

TEST(ApprovalsTest, ADenyingRuleCannotBeAnsweredAway) {
  Approvals approvals;
  const ToolSpec spec = spec_of("a");
  approvals.approve(spec, "chat", ApprovalScope::always, kNow);
  approvals.set_policy(ToolPolicy({{.tool = "a", .source = {}, .decision = Decision::deny}}));
  EXPECT_EQ(approvals.decide(spec, "chat"), Decision::deny);
}

TEST(ApprovalsTest, AnswersCanBeTakenBackInEveryChatAndOfEveryDefinition) {
  Approvals approvals;
  const ToolSpec spec = spec_of("a");
  approvals.approve(spec, "chat", ApprovalScope::always, kNow);
  approvals.approve(spec_of("a", "command", "older"), "chat", ApprovalScope::always, kNow);
  approvals.approve(spec, "other", ApprovalScope::chat, kNow);
  approvals.approve(spec_of("b"), "chat", ApprovalScope::always, kNow);
  const auto taken = approvals.withdraw("a");
  ASSERT_EQ(taken.size(), 3u);
  EXPECT_EQ(taken[0].answer.definition_hash, "h");
  EXPECT_EQ(taken[1].answer.definition_hash, "older");
  EXPECT_EQ(taken[2].chat, "other");
  EXPECT_EQ(approvals.decide(spec, "chat"), Decision::ask);
  EXPECT_EQ(approvals.decide(spec, "other"), Decision::ask);
  EXPECT_EQ(approvals.decide(spec_of("b"), "chat"), Decision::automatic);
  EXPECT_TRUE(approvals.withdraw("a").empty());
}

TEST(ApprovalsTest, AnswersAreToldWithTheTimeOfTheFirst) {
  Approvals approvals;
  approvals.approve(spec_of("b"), "chat 2", ApprovalScope::chat, kNow);
  approvals.approve(spec_of("b"), "chat 1", ApprovalScope::chat, kNow);
  approvals.approve(spec_of("a"), "chat 1", ApprovalScope::always, kNow);
  approvals.approve(spec_of("a"), "chat 1", ApprovalScope::always, kNow + std::chrono::hours(1));
  approvals.approve(spec_of("c", "command", ""), "chat 1", ApprovalScope::always, kNow);  // never counts
  const StandingApproval a{.source = "command", .tool = "a", .definition_hash = "h", .since = kNow};
  const StandingApproval b{.source = "command", .tool = "b", .definition_hash = "h", .since = kNow};
  EXPECT_EQ(approvals.given(), (std::vector<GivenApproval>{{"", a}, {"chat 1", b}, {"chat 2", b}}));
}

}  // namespace
}  // namespace parley::orchestration::tools
