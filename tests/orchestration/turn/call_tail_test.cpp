#include "orchestration/turn/call_tail.h"

#include <gtest/gtest.h>

#include "orchestration/calls/call_formats.h"

namespace parley::orchestration::turn {
namespace {

using State = CallTail::State;

CallTail tail(const char* format, std::string_view token = "}") {
  return CallTail(*calls::find_call_format(format), token);
}

TEST(CallTail, ClosesWithTheMarkerOfTheCallHoweverItIsSplit) {
  const std::string marker = "\n</tool_call>";
  for (std::size_t cut = 1; cut < marker.size(); ++cut) {
    CallTail closing = tail("hermes");
    EXPECT_EQ(closing.push(marker.substr(0, cut)), State::open) << cut;
    EXPECT_EQ(closing.push(marker.substr(cut)), State::closed) << cut;
  }
}

TEST(CallTail, BeginsInsideTheTokenThatEndedTheBody) {
  EXPECT_EQ(tail("hermes", "\"}}\n</").push("tool_call>"), State::closed);
  EXPECT_EQ(tail("hermes", "}\n").push("</tool_call>"), State::closed);
}

TEST(CallTail, MayHaveBegunWhenTheParserSaysThatTheCallEnded) {
  const char* parameter = "Oslo\n</parameter>\n</function>\n<";
  EXPECT_EQ(tail("qwen3-coder", parameter).state(), State::open);
  EXPECT_EQ(tail("qwen3-coder", parameter).push("/tool_call>"), State::closed);
  EXPECT_EQ(tail("qwen3-coder", "</function>\n</tool_call>").state(), State::closed);
  EXPECT_EQ(tail("hermes", "}}\n</tool_call>").state(), State::closed);
  EXPECT_EQ(tail("hermes", "no end of a body").state(), State::foreign);
}

TEST(CallTail, AFamilyWithoutMarkersIsClosedAtOnce) {
  EXPECT_EQ(tail("llama-3").state(), State::closed);
  EXPECT_EQ(tail("hermes").state(), State::open);
}

TEST(CallTail, ASectionHasToCloseToo) {
  CallTail section = tail("kimi-k2");
  EXPECT_EQ(section.push("<|tool_call_end|>"), State::open);
  EXPECT_EQ(section.push("<|tool_calls_section_end|>"), State::closed);
  EXPECT_EQ(tail("kimi-k2").push("<|tool_calls_section_end|>"), State::closed) << "the call's was forgotten";
}

TEST(CallTail, AnythingElseIsForeign) {
  EXPECT_EQ(tail("hermes").push(" And"), State::foreign);
  EXPECT_EQ(tail("hermes").push("</tool_x"), State::foreign);
  CallTail next = tail("kimi-k2");
  next.push("<|tool_call_end|>");
  EXPECT_EQ(next.push("<|tool_call_begin|>"), State::foreign) << "another call";
  EXPECT_EQ(next.push("<|tool_calls_section_end|>"), State::foreign) << "it stays so";
}

TEST(CallTail, WhiteSpaceWithoutEndIsNotKept) {
  CallTail waiting = tail("hermes");
  for (int i = 0; i < 100000; ++i) EXPECT_EQ(waiting.push("  \n"), State::open);
  EXPECT_EQ(waiting.push("</tool_call>"), State::closed);
}

}  // namespace
}  // namespace parley::orchestration::turn
