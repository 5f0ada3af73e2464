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
    FittingOptions options;
    options.max_context = max_context;
    options.results = results_;
    options.count = [](std::string_view text) { return text.size(); };  // as the toy tokenizer has it
    return build_fitting_prompt(builder_, request_, options);
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

// Results of a turn's calls, each of so many bytes between "first" and "last".
class LongResults : public FittingPrompt {
 protected:
  LongResults() {
    for (int i = 0; i < 10; ++i) add_turn();
    add(Role::user, "q");
    add(Role::assistant, "a");
  }
  void add_results(int count, std::size_t bytes) {
    for (int i = 0; i < count; ++i) {
      add(Role::tool, "first" + std::string(bytes - 9, '.') + "last");
      request_.messages.back().call_id = "id" + std::to_string(i);
    }
  }
  // Of the results in the prompt, those that are whole: "FTT".
  static std::string whole_ones(const Prompt& prompt, std::size_t bytes) {
    const std::string text = toy_text(prompt.ids);
    std::string whole;
    for (std::size_t at = text.find("t:first"); at != std::string::npos; at = text.find("t:first", at + 1)) {
      const std::size_t end = text.find("last", at) + 4;
      whole += end - at == bytes + 2 ? 'T' : 'F';
    }
    return whole;
  }
};

TEST_F(LongResults, TheOldestAreShortenedRatherThanTheTurnRefused) {
  add_results(4, 400);  // 1,620 tokens with the question
  const Prompt prompt = built(1500);
  EXPECT_LE(prompt.ids.size(), 1125u) << "a quarter is left for the answer";
  EXPECT_EQ(whole_ones(prompt, 400), "FFTT");
  EXPECT_NE(toy_text(prompt.ids).find("u:q;a:a;t:first"), std::string::npos);
  EXPECT_NE(toy_text(prompt.ids).find(" bytes cut "), std::string::npos);
}

TEST_F(LongResults, TheNextRoundBeginsTheSame) {
  add_results(4, 400);
  const std::string before = toy_text(built(1500).ids);
  add(Role::assistant, "b");
  add_results(1, 400);
  const Prompt prompt = built(1500);
  const std::string after = toy_text(prompt.ids);
  EXPECT_EQ(whole_ones(prompt, 400), "FFFTT");
  const std::size_t third = before.find("t:first", before.find("t:first", before.find("t:first") + 1) + 1);
  const std::size_t begin = before.find("u:q;");
  EXPECT_EQ(after.substr(after.find("u:q;"), third - begin), before.substr(begin, third - begin));
}

TEST_F(LongResults, TheWholeCanBeReadWhereTheToolForItIsOffered) {
  request_.tools.tools = toy_tools();
  add_results(4, 400);
  EXPECT_EQ(toy_text(built(1500).ids).find("read_tool_output"), std::string::npos);
  request_.tools.tools.push_back(std::make_shared<ToyTool>("read_tool_output", "", "{}", true));
  EXPECT_NE(toy_text(built(1500).ids).find("last\n(read_tool_output with id \"id0\" reads the whole text.);"),
            std::string::npos);
}

TEST_F(LongResults, AShortAnswerIsBetterThanNone) {
  request_.messages.back().text = std::string(1'100, 'a');
  add_results(4, 400);
  const Prompt prompt = built(1500);  // 1,125 would be the answer's room
  EXPECT_GT(prompt.ids.size(), 1125u);
  EXPECT_LT(prompt.ids.size(), 1500u);
  EXPECT_EQ(whole_ones(prompt, 400), "FFFF");
  request_.messages[request_.messages.size() - 5].text += std::string(400, 'a');
  EXPECT_TRUE(std::holds_alternative<PromptTooLong>(build(1500)));
}

TEST_F(LongResults, AreLeftAloneWhereNothingMayBeLeftOut) {
  request_.overflow = prompt::Overflow::refuse;
  add_results(4, 400);
  EXPECT_TRUE(std::holds_alternative<PromptTooLong>(build(1500)));
  EXPECT_EQ(builder_.num_builds, 1);
}

TEST_F(FittingPrompt, ContinuingReachesTheBuilder) {
  add_turn();
  request_.continue_last = true;
  EXPECT_EQ(toy_text(built(100).ids), "u:1234567;a:1234567");
}

}  // namespace
}  // namespace parley::orchestration::turn
