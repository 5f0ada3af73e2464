#include "orchestration/turn/fitting_prompt.h"

#include <gtest/gtest.h>

#include "tests/orchestration/turn/toy_text.h"
#include "tests/orchestration/turn/toy_tool.h"

namespace parley::orchestration::turn {
namespace {

using prompt::Prompt;
using prompt::PromptTooLong;
using prompt::Role;

class FittingPrompt : public testing::Test {
 protected:
  FittingPrompt() { request_.overflow = prompt::Overflow::leave_out_oldest; }

  void add(Role role, const std::string& text) {
    request_.messages.emplace_back();
    request_.messages.back().role = role;
    request_.messages.back().text = text;
  }
  // 20 tokens with "u:" and ";".
  void add_turn() {
    add(Role::user, "1234567");
    add(Role::assistant, "1234567");
  }

  std::variant<Prompt, PromptTooLong> build(int max_context) {
    return build_fitting_prompt(builder_, request_, max_context, results_);
  }
  Prompt built(int max_context) { return std::get<Prompt>(build(max_context)); }

  ToyPromptBuilder builder_;
  ChatRequest request_;
  prompt::ResultForm results_ = prompt::ResultForm::of_template;
};

TEST_F(FittingPrompt, AShortHistoryIsTakenWhole) {
  add(Role::system, "s");
  add_turn();
  add(Role::user, "x");
  const Prompt prompt = built(100);
  EXPECT_EQ(prompt.left_out_turns, 0);
  EXPECT_EQ(toy_text(prompt.ids), "s:s;u:1234567;a:1234567;u:x;");
  EXPECT_EQ(builder_.num_builds, 1);
}

TEST_F(FittingPrompt, RoomForTheAnswerIsKeptFree) {
  for (int i = 0; i < 4; ++i) add_turn();
  add(Role::user, "x");  // 84 tokens
  EXPECT_GT(built(100).left_out_turns, 0);
  EXPECT_EQ(built(112).left_out_turns, 0);  // a quarter free
  request_.options.max_tokens = 5;
  EXPECT_EQ(built(100).left_out_turns, 0);
}

TEST_F(FittingPrompt, ALongHistoryLosesMoreThanItMust) {
  for (int i = 0; i < 10; ++i) add_turn();
  add(Role::user, "x");  // 204 tokens, room 150, three quarters of it 113
  const Prompt prompt = built(200);
  EXPECT_EQ(prompt.left_out_turns, 5);
  EXPECT_EQ(prompt.ids.size(), 104u);
}

TEST_F(FittingPrompt, TheNextTurnsKeepTheSameBeginning) {
  add(Role::system, "s");
  for (int i = 0; i < 10; ++i) add_turn();
  int left_out = 0;
  int changes = 0;
  for (int turn = 0; turn < 12; ++turn) {
    add(Role::user, "1234567");
    request_.left_out_before = left_out;
    const Prompt prompt = built(200);
    changes += prompt.left_out_turns != left_out ? 1 : 0;
    left_out = prompt.left_out_turns;
    EXPECT_LE(prompt.ids.size(), 150u);
    EXPECT_EQ(toy_text(prompt.ids).substr(0, 4), "s:s;");
    add(Role::assistant, "1234567");
  }
  EXPECT_GT(left_out, 10);
  EXPECT_LE(changes, 6);  // each turn, if only the necessary were left out
}

// The prompt builder counts them so, and what it left out is what the next turn leaves out.
TEST_F(FittingPrompt, AnswersBeforeTheFirstQuestionAreATurn) {
  add(Role::assistant, std::string(60, 'w'));
  add_turn();
  add(Role::user, "x");
  request_.left_out_before = 1;
  const Prompt prompt = built(100);
  EXPECT_EQ(prompt.left_out_turns, 1);
  EXPECT_EQ(toy_text(prompt.ids), "u:1234567;a:1234567;u:x;");
}

TEST_F(FittingPrompt, WhatFitsAgainIsTakenAgain) {
  for (int i = 0; i < 3; ++i) add_turn();
  add(Role::user, "x");
  request_.left_out_before = 2;
  EXPECT_EQ(built(1000).left_out_turns, 0);
}

TEST_F(FittingPrompt, ALongLastQuestionMayUseTheAnswersRoom) {
  add_turn();
  add(Role::user, std::string(85, 'x'));
  EXPECT_EQ(built(100).left_out_turns, 1);
  request_.messages.back().text += std::string(12, 'x');
  const auto refusal = std::get<PromptTooLong>(build(100));
  EXPECT_EQ(refusal.limit, 99);
  EXPECT_EQ(refusal.actual, 100);
}

TEST_F(FittingPrompt, RefusingLeavesNothingOut) {
  request_.overflow = prompt::Overflow::refuse;
  for (int i = 0; i < 4; ++i) add_turn();
  add(Role::user, "x");
  EXPECT_EQ(built(85).left_out_turns, 0);
  EXPECT_EQ(std::get<PromptTooLong>(build(84)).limit, 83);
}

TEST_F(FittingPrompt, ToolsAndTheFormOfResultsReachTheBuilderHoweverMuchIsLeftOut) {
  request_.tools.tools = toy_tools();
  for (int i = 0; i < 4; ++i) add_turn();
  add(Role::user, "x");
  add(Role::tool, "42");
  results_ = prompt::ResultForm::restated_question;
  EXPECT_EQ(toy_text(built(400).ids).substr(0, 26), "T(get_weather,calculator)u");
  request_.left_out_before = 3;
  const Prompt prompt = built(100);
  EXPECT_EQ(prompt.left_out_turns, 3);
  EXPECT_EQ(toy_text(prompt.ids), "T(get_weather,calculator)u:1234567;a:1234567;u:x;r:42;");
}

TEST_F(FittingPrompt, ContinuingReachesTheBuilder) {
  add_turn();
  request_.continue_last = true;
  EXPECT_EQ(toy_text(built(100).ids), "u:1234567;a:1234567");
}

}  // namespace
}  // namespace parley::orchestration::turn
