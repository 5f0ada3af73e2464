#include "app/cli/chat_answer.h"

#include <gtest/gtest.h>

#include <boost/json.hpp>

#include "tests/fakes/message_of.h"
#include "tests/fakes/scripted_engine.h"
#include "tests/orchestration/turn/toy_text.h"
#include "tests/orchestration/turn/toy_tool.h"

namespace parley::app::cli {
namespace {

namespace turn = orchestration::turn;

class ChatAnswerTest : public testing::Test {
 protected:
  void generate(const std::string& text) {
    script_.tokens = fakes::scripted_tokens(turn::ToyTokenizer().encode(text));
  }
  ChatAnswer answer(turn::ChatRequest request) {
    turn::LocalModelParts parts;
    parts.info.name = "toy";
    parts.info.max_context = 1000;
    parts.info.tool_profile = turn::ToolProfile::native;
    parts.reading = reading_;
    parts.tokenizer = std::make_unique<turn::ToyTokenizer>();
    parts.prompts = std::make_unique<turn::ToyPromptBuilder>();
    parts.engine = std::make_unique<fakes::ScriptedEngine>([this](const auto&) { return script_; });
    return answer_chat(std::move(parts), std::move(request),
                       [this](const std::string& text) { told_ += text; });
  }
  static turn::ChatRequest asking(const std::string& text = "hi") {
    turn::ChatRequest request;
    request.messages.emplace_back();
    request.messages.back().text = text;
    return request;
  }
  static turn::ChatRequest asking_with_tools() {
    turn::ChatRequest request = asking();
    request.tools.tools = turn::toy_tools();
    return request;
  }

  turn::CallReading reading_;
  fakes::EngineScript script_;
  std::string told_;
};

TEST_F(ChatAnswerTest, TheTextIsToldAsItComesAndIsWholeAtTheEnd) {
  generate("Hello!");
  const ChatAnswer whole = answer(asking());
  EXPECT_EQ(whole.text, "Hello!");
  EXPECT_EQ(told_, "Hello!");
  EXPECT_EQ(turn::toy_text(whole.ids), "Hello!");
  EXPECT_EQ(whole.finished.stop_reason, "stop");
  EXPECT_EQ(whole.finished.usage.prompt_tokens, 5) << "u:hi;";
  EXPECT_EQ(whole.finished.usage.completion_tokens, 6);
}

TEST_F(ChatAnswerTest, WhatIsHeldBackUntilTheEndIsToldToo) {
  generate("a STO");
  turn::ChatRequest request = asking();
  request.options.stop = {"STOP"};
  EXPECT_EQ(answer(std::move(request)).text, "a STO");
  EXPECT_EQ(told_, "a STO");
}

TEST_F(ChatAnswerTest, CallsAreListedWithTheirArgumentsAndMistakes) {
  generate(
      "Both.\n<tool_call>\n{\"name\": \"get_weather\", \"arguments\": {\"city\": \"Oslo\"}}\n</tool_call>\n"
      "<tool_call>\n{\"name\": \"get_weather\", \"arguments\": {\"city\": ");
  script_.reason = inference::engine::StopReason::max_tokens;
  const ChatAnswer whole = answer(asking_with_tools());
  ASSERT_EQ(whole.calls.size(), 2u);
  EXPECT_EQ(whole.calls[0].name, "get_weather");
  EXPECT_EQ(whole.calls[0].arguments, R"({"city": "Oslo"})");
  EXPECT_EQ(whole.calls[0].error, "");
  EXPECT_NE(whole.calls[1].error, "");
  EXPECT_EQ(told_, whole.text) << "no markup";
  EXPECT_EQ(whole.text.substr(0, 5), "Both.");
  EXPECT_EQ(whole.finished.stop_reason, "length");
}

TEST_F(ChatAnswerTest, ReasoningIsApartAndNotTold) {
  reading_.reasoning = turn::Reasoning::possible;
  generate("<think>Hm.</think>Yes.");
  const ChatAnswer whole = answer(asking());
  EXPECT_EQ(whole.reasoning, "Hm.");
  EXPECT_EQ(whole.text, "Yes.");
  EXPECT_EQ(told_, "Yes.");
}

TEST_F(ChatAnswerTest, RefusalsAndFailuresAreThrownAsSentences) {
  using tests::fakes::message_of;
  EXPECT_NE(message_of([&] { answer(asking("refuse")); }).find("I will not have it"), std::string::npos);
  script_.reason = inference::engine::StopReason::failed;
  script_.error = "The device is gone.";
  EXPECT_EQ(message_of([&] { answer(asking()); }), "The device is gone.");
}

TEST(ChatAnswerJson, HasEveryPart) {
  ChatAnswer answer;
  answer.text = "Hi \"you\"";
  answer.reasoning = "Hm.";
  answer.calls = {{"clock", "{\"zone\":\"UTC\"}", ""}, {"clock", "{", "It was cut."}};
  answer.ids = {7, 8};
  answer.finished.stop_reason = "tool_calls";
  answer.finished.usage.prompt_tokens = 12;
  answer.finished.usage.cached_tokens = 4;
  answer.finished.usage.completion_tokens = 2;
  answer.finished.timings.first_token_ms = 1.5;
  answer.finished.timings.total_ms = 3;
  answer.finished.timings.tokens_per_second = 250;
  const auto expected = boost::json::parse(R"({
    "text": "Hi \"you\"", "reasoning": "Hm.",
    "calls": [{"name": "clock", "arguments": "{\"zone\":\"UTC\"}"},
              {"name": "clock", "arguments": "{", "error": "It was cut."}],
    "ids": [7, 8], "stop_reason": "tool_calls",
    "usage": {"prompt_tokens": 12, "cached_tokens": 4, "completion_tokens": 2},
    "timings": {"first_token_ms": 1.5, "total_ms": 3.0, "tokens_per_second": 250.0}})");
  EXPECT_EQ(to_json(answer), expected.as_object());
}

}  // namespace
}  // namespace parley::app::cli
