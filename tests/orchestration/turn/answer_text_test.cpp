#include "orchestration/turn/answer_text.h"

#include <gtest/gtest.h>

namespace parley::orchestration::turn {
namespace {

ChatDelta reasoning_of(const std::string& text) {
  ChatDelta delta;
  delta.reasoning = text;
  return delta;
}

ChatDelta prose_of(const std::string& text) {
  ChatDelta delta;
  delta.text = text;
  return delta;
}

ChatDelta call_of_a_tool() {
  ChatDelta delta;
  delta.calls.emplace_back(calls::CallBegin{0, "weather", ""});
  return delta;
}

TEST(AnswerText, ReasoningStandsBetweenMarks) {
  AnswerText text;
  EXPECT_EQ(text.take(reasoning_of("Hm")), "<think>Hm");
  EXPECT_EQ(text.take(reasoning_of(".")), ".");
  EXPECT_EQ(text.take(prose_of("Yes")), "</think>\n\nYes");
  EXPECT_EQ(text.take(prose_of(".")), ".");
  EXPECT_EQ(text.close(), "");
}

TEST(AnswerText, ACallEndsIt) {
  AnswerText text;
  text.take(reasoning_of("Hm"));
  ChatDelta pending;
  pending.calls.emplace_back(calls::CallPending{});
  EXPECT_EQ(text.take(pending), "") << "it may be none";
  EXPECT_EQ(text.take(call_of_a_tool()), "</think>\n\n");
  EXPECT_EQ(text.take(call_of_a_tool()), "");
  ChatDelta whole = call_of_a_tool();
  whole.reasoning = "Again";
  EXPECT_EQ(text.take(whole), "<think>Again</think>\n\n") << "in one delta";
  whole.text = "Now";
  EXPECT_EQ(text.take(whole), "<think>Again</think>\n\nNow");
}

TEST(AnswerText, TheEndEndsIt) {
  AnswerText text;
  text.take(reasoning_of("Hm"));
  EXPECT_EQ(text.close(), "</think>\n\n");
  EXPECT_EQ(text.close(), "");
}

TEST(AnswerText, WhatWasCutGoesOn) {
  AnswerText text;
  text.go_on_reasoning();
  EXPECT_EQ(text.take(reasoning_of(" more")), " more");
  EXPECT_EQ(text.take(prose_of("Yes")), "</think>\n\nYes");
  AnswerText other;
  other.go_on_reasoning();
  EXPECT_EQ(other.take(prose_of("Yes")), "</think>\n\nYes");
}

}  // namespace
}  // namespace parley::orchestration::turn
