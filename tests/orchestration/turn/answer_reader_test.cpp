#include "orchestration/turn/answer_reader.h"

#include <gtest/gtest.h>

#include "orchestration/calls/call_formats.h"
#include "orchestration/turn/delta_parts.h"
#include "tests/orchestration/turn/toy_text.h"
#include "tests/orchestration/turn/toy_tool.h"

namespace parley::orchestration::turn {
namespace {

using inference::engine::GeneratedToken;
using Want = AnswerReader::Want;

class AnswerReaderTest : public testing::Test {
 protected:
  AnswerReaderTest() { open("hermes", CallLimit::any); }

  void open(const char* format, CallLimit limit) {
    AnswerReaderParts parts;
    parts.tokenizer = &tokenizer_;
    parts.text = inference::text::make_text_stream({"STOP"});
    parts.format = calls::find_call_format(format);
    parts.calls = limit;
    parts.scored = true;
    calls::ParserOptions options;
    for (const auto& tool : toy_tools())
      options.tools.push_back({tool->spec().name, tool->spec().parameters});
    options.vocabulary = calls::marker_vocabulary(tokenizer_);
    parts.parser = calls::make_call_parser(*parts.format, std::move(options));
    reader_.emplace(std::move(parts));
  }
  // Byte by byte, as far as the reader wants it.
  ChatDelta push(std::string_view text) {
    ChatDelta all;
    for (const std::int32_t id : tokenizer_.encode(text)) {
      if (reader_->want() != Want::more) break;
      GeneratedToken token;
      token.token_id = id;
      ChatDelta delta;
      reader_->take(token, delta);
      EXPECT_EQ(delta.scores.size(), delta.token_ids.size());
      append(all, std::move(delta));
    }
    return all;
  }

  ToyTokenizer tokenizer_;
  std::optional<AnswerReader> reader_;
};

const std::string kCalculatorCall = R"({"name": "calculator", "arguments": {}})";

TEST_F(AnswerReaderTest, IdsWaitWhileItMayBeACall) {
  ChatDelta held = push("{\"na");
  EXPECT_TRUE(held.token_ids.empty());
  ASSERT_EQ(held.calls.size(), 1u);
  EXPECT_TRUE(std::holds_alternative<calls::CallPending>(held.calls[0]));
  const ChatDelta prose = push("me\": 1} is no call.");
  EXPECT_EQ(prose.text, "{\"name\": 1} is no call.");
  EXPECT_EQ(toy_text(prose.token_ids), prose.text);
}

TEST_F(AnswerReaderTest, ProseBeforeWhatIsHeldBackIsGivenOutWithItsIds) {
  const ChatDelta delta = push("Yes.\n" + kCalculatorCall.substr(0, 10));
  EXPECT_EQ(delta.text, "Yes.");
  EXPECT_EQ(toy_text(delta.token_ids), "Yes.");
  EXPECT_TRUE(reader_->ids_of_shown_rest().empty());
}

TEST_F(AnswerReaderTest, ReasoningBeforeWhatIsHeldBackIsGivenOutWithItsMarkers) {
  const ChatDelta delta = push("<think>Hm.</think>\n\n" + kCalculatorCall.substr(0, 10));
  EXPECT_EQ(delta.reasoning, "Hm.");
  EXPECT_EQ(toy_text(delta.token_ids), "<think>Hm.</think>");
}

TEST_F(AnswerReaderTest, AnUnknownCallGivesOutNothing) {
  const ChatDelta delta = push(R"({"name": "greet", "arguments": {}})");
  EXPECT_EQ(reader_->want(), Want::more) << "an object may follow on the next line";
  ChatDelta rest;
  reader_->finish(calls::AnswerEnd::complete, rest);
  EXPECT_EQ(reader_->want(), Want::again);
  EXPECT_TRUE(delta.token_ids.empty());
  EXPECT_FALSE(has_content(rest));
  EXPECT_FALSE(reader_->has_calls());
}

TEST_F(AnswerReaderTest, OneCallOfAListIsTakenWhereOneIsAllowed) {
  open("hermes", CallLimit::one);
  ChatDelta delta = push("[" + kCalculatorCall + ", " + kCalculatorCall + "]");
  reader_->finish(calls::AnswerEnd::complete, delta);
  int num_begun = 0;
  for (const auto& event : delta.calls) num_begun += std::holds_alternative<calls::CallBegin>(event) ? 1 : 0;
  EXPECT_EQ(num_begun, 1);
  EXPECT_EQ(arguments_of(delta, 0), "{}");
  EXPECT_TRUE(reader_->has_calls());
}

TEST_F(AnswerReaderTest, WhatFollowsTheOneCallIsNotTaken) {
  open("hermes", CallLimit::one);
  const ChatDelta delta = push("<tool_call>" + kCalculatorCall + " And now");
  EXPECT_EQ(reader_->want(), Want::end);
  ChatDelta rest = delta;
  reader_->finish(calls::AnswerEnd::complete, rest);
  EXPECT_EQ(toy_text(rest.token_ids), "<tool_call>" + kCalculatorCall + " ");
  EXPECT_EQ(rest.text, "");
}

TEST_F(AnswerReaderTest, AClosedSectionEndsTheAnswer) {
  open("kimi-k2", CallLimit::any);
  const std::string call =
      "<|tool_call_begin|>functions.calculator:0<|tool_call_argument_begin|>{}<|tool_call_end|>";
  const std::string section = "<|tool_calls_section_begin|>" + call + call + "<|tool_calls_section_end|>";
  const ChatDelta delta = push(section + "more");
  EXPECT_EQ(reader_->want(), Want::end);
  ChatDelta rest = delta;
  reader_->finish(calls::AnswerEnd::complete, rest);
  EXPECT_EQ(toy_text(rest.token_ids), section);
}

TEST_F(AnswerReaderTest, AStopStringEndsItAndDropsWhatFollows) {
  ChatDelta delta = push("One STOP two");
  EXPECT_EQ(reader_->want(), Want::end);
  reader_->finish(calls::AnswerEnd::complete, delta);
  EXPECT_EQ(delta.text, "One ");
  EXPECT_TRUE(reader_->matched_stop());
}

TEST_F(AnswerReaderTest, TheRestComesWithTheEnd) {
  ChatDelta delta = push("<tool_call>\n" + kCalculatorCall + "\n</tool_call>\n\n");
  reader_->finish(calls::AnswerEnd::complete, delta);
  EXPECT_EQ(toy_text(delta.token_ids), "<tool_call>\n" + kCalculatorCall + "\n</tool_call>\n\n");
}

}  // namespace
}  // namespace parley::orchestration::turn
