// A model that calls too readily: the router goes first.

#include <gtest/gtest.h>

#include "tests/orchestration/turn/local_model_fixture.h"

namespace parley::orchestration::turn {
namespace {

using inference::engine::StopReason;
using Texts = std::vector<std::string>;

const std::string kArguments = R"({"city": "Oslo"})";
const std::string kToolCall =
    "<tool_call>\n{\"name\": \"get_weather\", \"arguments\": " + kArguments + "}\n</tool_call>";
const std::string kOsloCall = "get_weather " + kArguments;

class RoutedChat : public LocalModelTest {
 protected:
  RoutedChat() { open_with(ToolProfile::weak); }

  ChatRequest request_behind_result() {
    ChatRequest chat = request_with_tools("Is it cold in Oslo?");
    prompt::ChatMessage caller;
    caller.role = prompt::Role::assistant;
    caller.calls = {{"1", "get_weather", kArguments}};
    caller.token_ids = ToyTokenizer().encode(kToolCall);
    chat.messages.push_back(caller);
    prompt::ChatMessage result;
    result.role = prompt::Role::tool;
    result.text = "-3 degrees";
    result.call_id = "1";
    result.tool_name = "get_weather";
    chat.messages.push_back(result);
    return chat;
  }
  int prompt_tokens(std::size_t run) const { return static_cast<int>(engine_->request(run).prompt.size()); }
};

TEST_F(RoutedChat, NoneIsAnsweredWithoutAnyTextOfTools) {
  then("none");
  then("Hello!");
  const Whole whole = read(request_with_tools("Hello"));
  EXPECT_EQ(whole.text, "Hello!");
  EXPECT_TRUE(whole.calls.empty());
  EXPECT_EQ(whole.finished.stop_reason, "stop");
  EXPECT_EQ(prompt_of(1), "u:Hello;");
  EXPECT_EQ(toy_text(whole.ids), "Hello!") << "none of the router's";
}

TEST_F(RoutedChat, BehindNoneTheMarkersOfCallsCannotBeWritten) {
  then("none");
  then("Hello!");
  read(request_with_tools("Hello"));
  EXPECT_FALSE(admits(1, kToolCall));
  EXPECT_FALSE(admits(1, "I look. <tool_call>"));
  EXPECT_TRUE(admits(1, "{\"name\": \"ls\"} <table> <tool> tool_call ```json\n[]```"));
}

TEST_F(RoutedChat, ToolsThatAreOffInAChatWithCallsAreNotCalledEither) {
  ChatRequest chat = request_behind_result();
  chat.tools = ToolOffer();
  generate("It is cold.");
  read(std::move(chat));
  EXPECT_FALSE(admits(0, "Again: " + kToolCall));
  EXPECT_TRUE(admits(0, "{\"name\": 1}"));
}

TEST_F(RoutedChat, WithoutToolsTheMarkersMayBeExplained) {
  generate("Hello!");
  read(request("What is <tool_call>?"));
  EXPECT_TRUE(admits(0, kToolCall));
}

TEST_F(RoutedChat, TheRouterChoosesGreedilyAmongTheNames) {
  then("none");
  then("Hello!");
  read(request_with_tools("Hello"));
  EXPECT_EQ(engine_->request(0).sampling.temperature, 0);
  EXPECT_TRUE(admits(0, "none"));
  EXPECT_TRUE(admits(0, "get_weather"));
  EXPECT_TRUE(admits(0, "calculator"));
  EXPECT_FALSE(admits(0, "greeting"));
  EXPECT_FALSE(admits(0, "no"));
  EXPECT_NE(prompt_of(0).find("get_weather: The weather of a city."), std::string::npos) << prompt_of(0);
}

TEST_F(RoutedChat, ANameGetsOneCallOfThatToolAlone) {
  then("get_weather");
  then(kToolCall);
  const Whole whole = read(request_with_tools("Is it cold in Oslo?"));
  EXPECT_EQ(whole.calls, Texts{kOsloCall});
  EXPECT_EQ(whole.finished.stop_reason, "tool_calls");
  EXPECT_EQ(prompt_of(1), "T(get_weather)u:Is it cold in Oslo?;");
  EXPECT_TRUE(admits(1, kToolCall));
  EXPECT_FALSE(admits(1, "Hello"));
  EXPECT_FALSE(admits(1, "<tool_call>\n{\"name\": \"calculator\", \"arguments\": {}}\n</tool_call>"));
  EXPECT_FALSE(admits(1, "<tool_call>\n{\"name\": \"get_weather\", \"arguments\": {}}\n</tool_call>"));
}

TEST_F(RoutedChat, ItsTokensAreCounted) {
  then("none");
  scripts_.back().cached_tokens = 40;
  then("Hello!");
  scripts_.back().cached_tokens = 2;
  const Whole whole = read(request_with_tools("Hello"));
  EXPECT_EQ(whole.finished.usage.prompt_tokens, prompt_tokens(0) + prompt_tokens(1));
  EXPECT_EQ(whole.finished.usage.cached_tokens, 42);
  EXPECT_EQ(whole.finished.usage.completion_tokens, 4 + 6);
  EXPECT_EQ(whole.finished.queued, std::chrono::milliseconds(8));
}

TEST_F(RoutedChat, TheRoutersPromptChangesAtItsEndOnly) {
  then("none");
  then("Hello!");
  read(request_with_tools("Hello"));
  then("none");
  then("Fine.");
  read(request_with_tools("How are you?"));
  const std::string first = prompt_of(0);
  const std::string second = prompt_of(2);
  const std::size_t same = static_cast<std::size_t>(
      std::mismatch(first.begin(), first.end(), second.begin(), second.end()).first - first.begin());
  EXPECT_EQ(first.substr(0, same).find("Hello\n"), std::string::npos);
  EXPECT_LT(first.size() - same, 60u) << first.substr(same);
}

TEST_F(RoutedChat, BehindAResultTheAnswerGoesOnWhereTheCallEnded) {
  then("get_weather");
  then(kToolCall);
  read(request_with_tools("Is it cold in Oslo?"));
  then("none");
  then("It is -3 degrees.");
  const Whole whole = read(request_behind_result());
  EXPECT_EQ(whole.text, "It is -3 degrees.");
  const std::string kept = prompt_of(1) + "a:" + kToolCall;
  EXPECT_EQ(prompt_of(3), kept + ";r:-3 degrees;") << "append-only behind the call's run";
  EXPECT_FALSE(admits(3, kToolCall)) << "calls are banned";
  EXPECT_FALSE(admits(3, "Once more: " + kToolCall));
  EXPECT_NE(prompt_of(2).find("get_weather(" + kArguments + ") returned: -3 degrees"), std::string::npos)
      << prompt_of(2);
}

TEST_F(RoutedChat, ACallThatWasAnsweredIsNotMadeAgain) {
  then("get_weather");
  then("<tool_call>\n{\"name\": \"get_weather\", \"arguments\": {\"city\":\"Oslo\"}}\n</tool_call>");
  then("It is -3 degrees.");
  const Whole whole = read(request_behind_result());
  EXPECT_TRUE(whole.calls.empty());
  EXPECT_EQ(whole.num_pending, 1);
  EXPECT_EQ(whole.text, "It is -3 degrees.");
  EXPECT_EQ(toy_text(whole.ids), whole.text);
  EXPECT_EQ(whole.finished.stop_reason, "stop");
  EXPECT_FALSE(admits(2, kToolCall));
}

TEST_F(RoutedChat, AnotherCallBehindAResultIsMade) {
  const std::string other =
      "<tool_call>\n{\"name\": \"get_weather\", \"arguments\": {\"city\": \"Rome\"}}\n</tool_call>";
  then("get_weather");
  then(other);
  const Whole whole = read(request_behind_result());
  EXPECT_EQ(whole.calls, Texts{R"(get_weather {"city": "Rome"})"});
  EXPECT_EQ(toy_text(whole.ids), other);
  EXPECT_EQ(whole.finished.stop_reason, "tool_calls");
}

TEST_F(RoutedChat, StoppingWorksWhileTheRouterRuns) {
  then("no");
  scripts_.back().until_cancelled = true;
  auto stream = start(request_with_tools("Hello"));
  stream->cancel();
  const Whole whole = read(*stream);
  EXPECT_EQ(whole.finished.stop_reason, "stopped");
  EXPECT_EQ(whole.text, "");
  EXPECT_THROW(engine_->request(1), std::out_of_range);
}

TEST_F(RoutedChat, DroppingTheStreamCancelsTheRouter) {
  then("no");
  scripts_.back().until_cancelled = true;
  auto stream = start(request_with_tools("Hello"));
  stream.reset();
  engine_->wait_until_idle();
  EXPECT_EQ(engine_->num_cancelled(), 1u);
}

TEST_F(RoutedChat, FailuresOfEitherRunAreTheAnswers) {
  then("");
  scripts_.back().reason = StopReason::failed;
  scripts_.back().error = "The device is gone.";
  EXPECT_EQ(read(request_with_tools()).finished.error, "The device is gone.");
  then("none");
  scripts_.emplace_back();
  scripts_.back().rejection = inference::engine::Rejection{};
  const Whole busy = read(request_with_tools());
  EXPECT_NE(busy.finished.error, "");
  EXPECT_EQ(busy.finished.stop_reason, "");
}

TEST_F(RoutedChat, ABusyEngineRefusesAtOnce) {
  scripts_.emplace_back();
  scripts_.back().rejection = inference::engine::Rejection{};
  EXPECT_EQ(refused(request_with_tools()).kind, ChatRejection::Kind::queue_full);
}

TEST_F(RoutedChat, NoRouterWithoutAChoice) {
  generate("Hello!");
  read(request("Hello"));
  EXPECT_EQ(prompt_of(0), "u:Hello;");
  ChatRequest chat = request_with_tools("Hello");
  chat.tools.choice = ToolChoice::none;
  read(std::move(chat));
  EXPECT_EQ(prompt_of(1), "T(get_weather,calculator)u:Hello;");
}

TEST_F(RoutedChat, TooManyToolsAreRefusedWithAdvice) {
  max_context_ = 200;
  open(false);
  const ChatRejection rejection = refused(request_with_tools("Hello"));
  EXPECT_EQ(rejection.kind, ChatRejection::Kind::prompt_too_long);
  EXPECT_NE(rejection.message.find("switch off some tools"), std::string::npos) << rejection.message;
}

}  // namespace
}  // namespace parley::orchestration::turn
