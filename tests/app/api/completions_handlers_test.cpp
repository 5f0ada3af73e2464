// The OpenAI routes without sockets: what a request makes of the model, and what the client gets.
#include <gtest/gtest.h>

#include <string>
#include <utility>
#include <vector>

#include "app/api/api_routes.h"
#include "inference/json/json_writer.h"
#include "tests/app/api/fake_exchange.h"
#include "tests/fakes/echo_chat_model.h"

namespace parley::app::api {
namespace {

inference::json::JsonObject json_of(std::string_view text) {
  auto parsed = inference::json::parse_json(text, {.max_bytes = 1 << 20});
  if (const auto* error = std::get_if<inference::json::JsonError>(&parsed)) {
    ADD_FAILURE() << error->message << ": " << text;
    return {};
  }
  return std::get<inference::json::JsonValue>(parsed).as_object();
}

// The data of server-sent events.
std::vector<std::string> events_of(const std::string& body) {
  std::vector<std::string> events;
  for (std::size_t at = 0; (at = body.find("data: ", at)) != std::string::npos;) {
    const std::size_t end = body.find("\n\n", at);
    events.push_back(body.substr(at + 6, end - at - 6));
    at = end;
  }
  return events;
}

class CompletionsHandlersTest : public testing::Test {
 protected:
  CompletionsHandlersTest() {
    model_ = tests::fakes::make_echo_chat_model(io_.get_executor(),
                                                std::make_shared<tests::fakes::EchoCounters>(), seen_);
    chat_ = make_chat_completions(*model_, {}, nullptr);
    completions_ = make_completions(*model_, {});
  }
  http::Response ask(http::Handler& handler, std::string body) {
    http::Request request;
    request.head.method = "POST";
    request.body = std::move(body);
    return answer_of(io_, handler, std::move(request));
  }
  http::Response chat(const std::string& text, const std::string& more = "") {
    return ask(*chat_, R"({"messages":[{"role":"user","content":")" + text + "\"}]" + more + "}");
  }
  http::Response complete(const std::string& body) { return ask(*completions_, body); }

  boost::asio::io_context io_;
  std::shared_ptr<tests::fakes::EchoRequests> seen_ = std::make_shared<tests::fakes::EchoRequests>();
  std::shared_ptr<orchestration::turn::ChatModel> model_;
  std::unique_ptr<http::Handler> chat_, completions_;
};

TEST_F(CompletionsHandlersTest, AnswersAChat) {
  const auto answer = chat("hello there friend", R"(,"model":"echo")");
  EXPECT_EQ(answer.status, 200);
  EXPECT_EQ(answer.content_type, "application/json");
  const auto object = json_of(answer.body);
  EXPECT_TRUE(object.at("id").as_string().starts_with("chatcmpl-"));
  EXPECT_EQ(object.at("object"), "chat.completion");
  EXPECT_EQ(object.at("model"), "echo");
  const auto& choice = object.at("choices").at(0).as_object();
  EXPECT_EQ(choice.at("message").at("role"), "assistant");
  EXPECT_EQ(choice.at("message").at("content"), "hello there friend");
  EXPECT_EQ(choice.at("finish_reason"), "stop");
  EXPECT_TRUE(choice.at("logprobs").is_null());
  EXPECT_EQ(
      inference::json::to_json_text(object.at("usage")),
      R"({"prompt_tokens":9,"completion_tokens":3,"total_tokens":12,"prompt_tokens_details":{"cached_tokens":4}})");
}

TEST_F(CompletionsHandlersTest, StreamsAChat) {
  const auto answer = chat("one two", R"(,"stream":true,"stream_options":{"include_usage":true})");
  EXPECT_EQ(answer.status, 200);
  EXPECT_EQ(answer.content_type, "text/event-stream");
  const auto events = events_of(answer.body);
  ASSERT_EQ(events.size(), 6u) << answer.body;
  EXPECT_EQ(json_of(events[0]).at("object"), "chat.completion.chunk");
  EXPECT_EQ(json_of(events[0]).at("choices").at(0).at("delta").at("role"), "assistant");
  EXPECT_EQ(json_of(events[1]).at("choices").at(0).at("delta").at("content"), "one");
  EXPECT_EQ(json_of(events[2]).at("choices").at(0).at("delta").at("content"), " two");
  EXPECT_TRUE(json_of(events[2]).at("usage").is_null());
  EXPECT_EQ(json_of(events[3]).at("choices").at(0).at("finish_reason"), "stop");
  EXPECT_TRUE(json_of(events[4]).at("choices").as_array().empty());
  EXPECT_EQ(json_of(events[4]).at("usage").at("completion_tokens"), 2);
  EXPECT_EQ(events[5], "[DONE]");
  EXPECT_EQ(json_of(events[0]).at("id"), json_of(events[4]).at("id"));
}

TEST_F(CompletionsHandlersTest, LeavesUsageOutOfAStreamUnlessAsked) {
  const auto answer = chat("one", R"(,"stream":true)");
  EXPECT_EQ(answer.body.find("usage"), std::string::npos) << answer.body;
}

TEST_F(CompletionsHandlersTest, EndsAtLengthAndAtStopStrings) {
  EXPECT_EQ(json_of(chat("a b c d", R"(,"max_tokens":2)").body).at("choices").at(0).at("finish_reason"),
            "length");
  EXPECT_EQ(
      json_of(chat("a b c d", R"(,"max_completion_tokens":2)").body).at("usage").at("completion_tokens"), 2);
  const auto stopped = json_of(chat("a b c d", R"(,"stop":[" c"])").body);
  EXPECT_EQ(stopped.at("choices").at(0).at("message").at("content"), "a b");
}

TEST_F(CompletionsHandlersTest, PassesTheRequestOn) {
  ask(*chat_,
      R"({"messages":[{"role":"developer","content":"be kind"},{"role":"user","content":[{"type":"text","text":"a"},)"
      R"({"type":"text","text":"b"}]},{"role":"assistant","content":"c"}],"temperature":0,"top_p":0.5,"top_k":7,"min_p":0.1,)"
      R"("repeat_penalty":1.5,"seed":42,"stop":"x","max_tokens":5,"continue_final_message":true,"user":"u","metadata":{}})");
  const auto& seen = seen_->chat;
  ASSERT_EQ(seen.messages.size(), 3u);
  EXPECT_EQ(seen.messages[0].role, orchestration::prompt::Role::system);
  EXPECT_EQ(seen.messages[1].text, "ab");
  EXPECT_TRUE(seen.continue_last);
  EXPECT_EQ(seen.overflow, orchestration::prompt::Overflow::refuse);
  EXPECT_EQ(seen.options.sampling.temperature, 0.0f);
  EXPECT_EQ(seen.options.sampling.top_p, 0.5f);
  EXPECT_EQ(seen.options.sampling.top_k, 7);
  EXPECT_EQ(seen.options.sampling.min_p, 0.1f);
  EXPECT_EQ(seen.options.sampling.repeat_penalty, 1.5f);
  EXPECT_EQ(seen.options.sampling.seed, 42u);
  EXPECT_EQ(seen.options.stop, std::vector<std::string>{"x"});
  EXPECT_EQ(seen.options.max_tokens, 5);
  EXPECT_EQ(seen.options.num_logprobs, -1);
}

TEST_F(CompletionsHandlersTest, GivesLogprobs) {
  const auto object = json_of(chat("hi", R"(,"logprobs":true,"top_logprobs":2)").body);
  EXPECT_EQ(
      inference::json::to_json_text(object.at("choices").at(0).at("logprobs")),
      R"({"content":[{"token":"hi","logprob":-0.5,"bytes":[104,105],"top_logprobs":[)"
      R"({"token":"t0","logprob":-0.5,"bytes":[116,48]},{"token":"t1","logprob":-1.5,"bytes":[116,49]}]}]})");
}

const std::string kTwoTools =
    R"(,"tools":[{"type":"function","function":{"name":"add","parameters":{"type":"object","properties":{"a":{"type":"integer"}}}}},)"
    R"({"type":"function","function":{"name":"now"}}])";

TEST_F(CompletionsHandlersTest, HandsACallBack) {
  const auto answer = chat(R"(!call add {\"a\": 1})", kTwoTools);
  EXPECT_EQ(answer.status, 200);
  EXPECT_EQ(inference::json::to_json_text(json_of(answer.body).at("choices")),
            R"([{"index":0,"message":{"role":"assistant","content":null,"refusal":null,"tool_calls":[)"
            R"({"id":"call_0","type":"function","function":{"name":"add","arguments":"{\"a\": 1}"}}]},)"
            R"("logprobs":null,"finish_reason":"tool_calls"}])");
  ASSERT_EQ(seen_->chat.tools.tools.size(), 2u);
  EXPECT_EQ(seen_->chat.tools.tools[1]->spec().name, "now");
}

TEST_F(CompletionsHandlersTest, StreamsCallsWithUsage) {
  const auto events = events_of(chat(R"(!say I look.\n!call now\n!call#mine add {\"a\": 12345})",
                                     kTwoTools + R"(,"stream":true,"stream_options":{"include_usage":true})")
                                    .body);
  ASSERT_EQ(events.size(), 11u);
  const auto delta = [&](std::size_t i) {
    return inference::json::to_json_text(json_of(events[i]).at("choices").at(0).at("delta"));
  };
  EXPECT_EQ(delta(0), R"({"role":"assistant","content":""})");
  EXPECT_EQ(delta(1), R"({"content":"I look."})");
  EXPECT_EQ(
      delta(2),
      R"({"tool_calls":[{"index":0,"id":"call_0","type":"function","function":{"name":"now","arguments":""}}]})");
  EXPECT_EQ(delta(3), R"({"tool_calls":[{"index":0,"function":{"arguments":"{}"}}]})");
  EXPECT_EQ(
      delta(4),
      R"({"tool_calls":[{"index":1,"id":"mine","type":"function","function":{"name":"add","arguments":""}}]})");
  EXPECT_EQ(delta(5), R"({"tool_calls":[{"index":1,"function":{"arguments":"{\"a\":"}}]})");
  EXPECT_EQ(json_of(events[8]).at("choices").at(0).at("finish_reason"), "tool_calls");
  EXPECT_TRUE(json_of(events[9]).at("choices").as_array().empty());
  EXPECT_GT(json_of(events[9]).at("usage").at("completion_tokens").as_int64(), 0);
  EXPECT_EQ(events[10], "[DONE]");
}

TEST_F(CompletionsHandlersTest, TakesAResultAndGoesOn) {
  const std::string call =
      R"({"role":"assistant","content":null,"reasoning_content":"Hm.","tool_calls":[{"id":"call_0",)"
      R"("type":"function","function":{"name":"now","arguments":"{}"}}]})";
  const auto answer = ask(
      *chat_, R"({"messages":[{"role":"user","content":"time?"},)" + call +
                  R"(,{"role":"tool","tool_call_id":"call_0","content":"half past two"}])" + kTwoTools + "}");
  EXPECT_EQ(json_of(answer.body).at("choices").at(0).at("message").at("content"), "half past two");
  ASSERT_EQ(seen_->chat.messages.size(), 3u);
  EXPECT_EQ(seen_->chat.messages[1].reasoning, "Hm.");
  EXPECT_EQ(seen_->chat.messages[2].tool_name, "now");
  const auto next =
      ask(*chat_, R"({"messages":[)" + call +
                      R"(,{"role":"tool","tool_call_id":"call_0","content":"!call now"}])" + kTwoTools + "}");
  EXPECT_EQ(json_of(next.body).at("choices").at(0).at("message").at("tool_calls").at(0).at("id"), "call_1");
}

TEST_F(CompletionsHandlersTest, PassesTheChoiceOn) {
  const auto forced =
      chat("hello", kTwoTools + R"(,"tool_choice":{"type":"function","function":{"name":"now"}})");
  EXPECT_EQ(
      json_of(forced.body).at("choices").at(0).at("message").at("tool_calls").at(0).at("function").at("name"),
      "now");
  EXPECT_EQ(seen_->chat.tools.named, "now");
  const auto none = chat("!call now", kTwoTools + R"(,"tool_choice":"none")");
  EXPECT_EQ(json_of(none.body).at("choices").at(0).at("finish_reason"), "stop");
  const auto one = chat(R"(!call now\n!call now)", kTwoTools + R"(,"parallel_tool_calls":false)");
  EXPECT_EQ(json_of(one.body).at("choices").at(0).at("message").at("tool_calls").as_array().size(), 1u);
}

TEST_F(CompletionsHandlersTest, RunsNoToolsOfTheServer) {
  const auto answer = chat("hello", R"(,"parley":{"tools":true})");
  EXPECT_EQ(answer.status, 400);
  EXPECT_EQ(json_of(answer.body).at("error").at("code"), "unavailable");
  EXPECT_EQ(json_of(answer.body).at("error").at("param"), "parley.tools");
  EXPECT_EQ(chat("hello", R"(,"parley":{"tools":false})").status, 200);
}

TEST_F(CompletionsHandlersTest, CompletesText) {
  const auto object = json_of(complete(R"({"prompt":"a b","logprobs":1})").body);
  EXPECT_EQ(object.at("object"), "text_completion");
  EXPECT_EQ(object.at("choices").at(0).at("text"), "a b");
  EXPECT_EQ(
      inference::json::to_json_text(object.at("choices").at(0).at("logprobs")),
      R"({"tokens":["a"," b"],"token_logprobs":[-0.5,-0.5],"top_logprobs":[{"t0":-0.5},{"t0":-0.5}],"text_offset":[0,1]})");
}

TEST_F(CompletionsHandlersTest, CompletesTokenIds) {
  EXPECT_EQ(complete(R"({"prompt":[1,2,3],"temperature":0})").status, 200);
  const auto& seen = seen_->completion;
  EXPECT_EQ(std::get<std::vector<std::int32_t>>(seen.prompt), (std::vector<std::int32_t>{1, 2, 3}));
  EXPECT_EQ(seen.options.max_tokens, 16);
}

TEST_F(CompletionsHandlersTest, StreamsCompletions) {
  const auto events = events_of(complete(R"({"prompt":"a b","stream":true})").body);
  ASSERT_EQ(events.size(), 4u);
  EXPECT_EQ(json_of(events[1]).at("choices").at(0).at("text"), " b");
  EXPECT_EQ(json_of(events[2]).at("choices").at(0).at("finish_reason"), "stop");
}

TEST_F(CompletionsHandlersTest, TellsWhyARequestIsNotTaken) {
  const auto expect_error = [&](const std::string& directive, int status, std::string_view code) {
    for (const char* more : {"", R"(,"stream":true)"}) {
      const auto answer = chat(directive, more);
      EXPECT_EQ(answer.status, status) << directive;
      EXPECT_EQ(json_of(answer.body).at("error").at("code").as_string(), code) << directive;
      EXPECT_FALSE(json_of(answer.body).at("error").at("message").as_string().empty());
    }
  };
  expect_error("!too_long", 400, "context_length_exceeded");
  expect_error("!queue_full", 429, "queue_full");
  expect_error("!loading", 503, "model_loading");
  expect_error("!stopping", 503, "shutting_down");
  const auto too_long = chat("!too_long").body;
  EXPECT_NE(too_long.find("9000"), std::string::npos);
  EXPECT_NE(too_long.find("4096"), std::string::npos);
}

TEST_F(CompletionsHandlersTest, KnowsItsModelOnly) {
  const auto other = chat("hi", R"(,"model":"gpt-4")");
  EXPECT_EQ(other.status, 404);
  EXPECT_EQ(json_of(other.body).at("error").at("code"), "model_not_found");
  EXPECT_NE(other.body.find("echo"), std::string::npos);
  EXPECT_EQ(chat("hi", R"(,"model":"")").status, 200);
}

TEST_F(CompletionsHandlersTest, TellsOfAFailureInTheMiddle) {
  const auto whole = chat("a !fail b");
  EXPECT_EQ(whole.status, 500);
  EXPECT_EQ(json_of(whole.body).at("error").at("message"), "The model failed on purpose.");
  const auto events = events_of(chat("a !fail b", R"(,"stream":true)").body);
  ASSERT_EQ(events.size(), 3u);
  EXPECT_EQ(json_of(events[2]).at("error").at("type"), "server_error");
}

}  // namespace
}  // namespace parley::app::api
