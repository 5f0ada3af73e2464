#include "orchestration/prompt/replay.h"

#include <gtest/gtest.h>

#include "orchestration/prompt/origins.h"
#include "tests/orchestration/prompt/chat_helper.h"

namespace parley::orchestration::prompt {
namespace {

using fakes::byte_ids;
using fakes::FakeTokenizer;

ChatMessage called(std::string spelled) {
  ChatMessage message = assistant_calls({kParisCall});
  message.token_ids = byte_ids(spelled);
  return message;
}

ChatMessage reasoned(std::string reasoning, std::string text, std::string spelled) {
  ChatMessage message = assistant_says(std::move(text), byte_ids(spelled));
  message.reasoning = std::move(reasoning);
  return message;
}

std::string spelled_ids(const ChatMessage& message) {
  const auto ids = answer_ids(kFakeTokenizer, message);
  return ids ? kFakeTokenizer.decode(*ids, true) : "none";
}

TEST(AnswerIds, OfCallsAreAllButTheEndOfTheTurn) {
  ChatMessage message = called("```json\n{\"name\": \"get_weather\"}");
  message.token_ids.push_back(FakeTokenizer::kImEnd);
  EXPECT_EQ(spelled_ids(message), "```json\n{\"name\": \"get_weather\"}");
}

TEST(AnswerIds, MustNameTheCallsAndBeTheModels) {
  EXPECT_EQ(spelled_ids(called("get_time()")), "none");
  ChatMessage foreign = called("get_weather");
  foreign.token_ids.push_back(100'000);
  EXPECT_EQ(spelled_ids(foreign), "none");
  EXPECT_EQ(spelled_ids(assistant_calls({kParisCall})), "none");
}

TEST(AnswerIds, OfReasoningEndWithTheText) {
  EXPECT_EQ(spelled_ids(reasoned("R", "text", "<think>R</think>text")), "<think>R</think>text");
  EXPECT_EQ(spelled_ids(reasoned("R", "text", "<think>R</think>textSTOP")), "<think>R</think>text");
  EXPECT_EQ(spelled_ids(reasoned("R", "edited", "<think>R</think>text")), "none");
  EXPECT_EQ(spelled_ids(reasoned("unfinish", "", "<think>unfinish")), "<think>unfinish");
}

TEST(AnswerIds, AreNotForPlainAnswers) {
  EXPECT_EQ(spelled_ids(assistant_says("text", byte_ids("text"))), "none");
}

TEST(Replays, FollowTheTemplateBeforeTheLastQuestion) {
  TemplateCapabilities can;
  can.replays_answers = true;
  const ChatMessage answer = reasoned("R", "text", "<think>R</think>text");
  ChatMessage thoughtful = called("<think>R</think>get_weather");
  thoughtful.reasoning = "R";
  const std::vector<ChatMessage> chat = {user_says("u"), answer,     called("get_weather"),
                                         user_says("v"), thoughtful, tool_says("1")};
  EXPECT_EQ(which(find_replays(kFakeTokenizer, chat, can)),
            (std::vector<bool>{false, false, true, false, true, false}));
  can.reasoning_kept = true;
  EXPECT_EQ(which(find_replays(kFakeTokenizer, chat, can)),
            (std::vector<bool>{false, true, true, false, true, false}));
  can.replays_answers = false;
  EXPECT_EQ(which(find_replays(kFakeTokenizer, chat, can)),
            (std::vector<bool>{false, true, false, false, false, false}));
}

TEST(Replays, AreLedByWhatThePromptHadWritten) {
  const std::vector<std::int32_t> ids = byte_ids("x");
  jinja::Rendered rendered{"<a>PLACE</a>", {{0, 3, 0}, {3, 8, origin_of_message(1)}, {8, 12, 0}}};
  const jinja::Rendered led = with_lead(rendered, {{}, ids}, "<think>");
  EXPECT_EQ(led.text, "<a><think>PLACE</a>");
  EXPECT_EQ(led.runs,
            (std::vector<jinja::OriginRun>{{0, 10, 0}, {10, 15, origin_of_message(1)}, {15, 19, 0}}));
  EXPECT_EQ(with_lead(rendered, {{}, {}}, "<think>").text, rendered.text);
}

}  // namespace
}  // namespace parley::orchestration::prompt
