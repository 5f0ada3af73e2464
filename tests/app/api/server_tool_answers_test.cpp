// POST /v1/chat/completions with tools that run in the server, without sockets: what the model is asked, what
// runs, and what the client gets.
#include <gtest/gtest.h>

#include <string>
#include <utility>
#include <vector>

#include <boost/asio/steady_timer.hpp>

#include "app/api/api_routes.h"
#include "inference/json/json_writer.h"
#include "tests/app/api/fake_exchange.h"
#include "tests/fakes/echo_chat_model.h"
#include "tests/fakes/scripted_tool.h"

namespace parley::app::api {
namespace {

using orchestration::tools::Decision;

const std::string kClientTool =
    R"(,"tools":[{"type":"function","function":{"name":"open","parameters":{"type":"object"}}}])";
const std::string kAll = R"(,"parley":{"tools":true})";
const std::string kWeather = R"(!call weather {\"city\": \"Oslo\"})";

class ServerToolAnswersTest : public testing::Test {
 protected:
  ServerToolAnswersTest() {
    again_->on_run = [](const auto& arguments, const auto&) {
      orchestration::tools::ToolResult result;
      result.text = arguments.at("say").as_string();
      return result;
    };
    orchestration::turn::ToolDeskParts parts;
    parts.current = [this] { return state_; };
    desk_ = std::make_unique<orchestration::turn::ToolDesk>(io_.get_executor(), std::move(parts));
    model_ = tests::fakes::make_echo_chat_model(io_.get_executor(), counters_, seen_);
    chat_ = make_chat_completions(*model_, {}, desk_.get());
  }
  http::Response ask(const std::string& text, const std::string& more) {
    http::Request request;
    request.head.method = "POST";
    request.body = R"({"messages":[{"role":"user","content":")" + text + "\"}]" + more + "}";
    return answer_of(io_, *chat_, std::move(request));
  }
  inference::json::JsonObject object(const http::Response& answer) {
    auto parsed = inference::json::parse_json(answer.body, {.max_bytes = 1 << 20});
    auto* value = std::get_if<inference::json::JsonValue>(&parsed);
    EXPECT_NE(value, nullptr) << answer.body;
    return value == nullptr ? inference::json::JsonObject() : value->as_object();
  }
  // The choice of a whole answer.
  inference::json::JsonObject choice(const std::string& text, const std::string& more) {
    const auto answer = ask(text, more);
    EXPECT_EQ(answer.status, 200) << answer.body;
    return object(answer).at("choices").at(0).as_object();
  }
  std::string refused_param(const std::string& more) {
    const auto answer = ask("hello", more);
    EXPECT_EQ(answer.status, 400) << answer.body;
    return std::string(object(answer).at("error").at("param").as_string());
  }

  boost::asio::io_context io_;
  std::shared_ptr<fakes::ScriptedTool> weather_ = std::make_shared<fakes::ScriptedTool>("weather", "city");
  std::shared_ptr<fakes::ScriptedTool> again_ = std::make_shared<fakes::ScriptedTool>("again", "say");
  std::shared_ptr<fakes::ScriptedTool> shell_ = std::make_shared<fakes::ScriptedTool>("shell", "line");
  std::shared_ptr<const orchestration::tools::RegistryState> state_ = fakes::state_with(
      {weather_, again_, shell_}, {{"weather", "", Decision::automatic}, {"again", "", Decision::automatic}});
  std::unique_ptr<orchestration::turn::ToolDesk> desk_;
  std::shared_ptr<tests::fakes::EchoCounters> counters_ = std::make_shared<tests::fakes::EchoCounters>();
  std::shared_ptr<tests::fakes::EchoRequests> seen_ = std::make_shared<tests::fakes::EchoRequests>();
  std::shared_ptr<orchestration::turn::ChatModel> model_;
  std::unique_ptr<http::Handler> chat_;
};

TEST_F(ServerToolAnswersTest, RunWithinOneAnswer) {
  const auto answer = ask("!say I look.\\n" + kWeather, kAll);
  const auto told = object(answer);
  const auto& message = told.at("choices").at(0).at("message").as_object();
  EXPECT_EQ(message.at("content"), "I look.\n\nresult of {\"city\":\"Oslo\"}");
  EXPECT_EQ(told.at("choices").at(0).at("finish_reason"), "stop");
  EXPECT_FALSE(message.contains("tool_calls"));
  const auto& calls = message.at("parley").at("calls").as_array();
  ASSERT_EQ(calls.size(), 1u);
  EXPECT_EQ(calls[0].at("name"), "weather");
  EXPECT_EQ(calls[0].at("arguments"), R"({"city": "Oslo"})");
  EXPECT_EQ(calls[0].at("state"), "done");
  EXPECT_EQ(calls[0].at("result"), R"(result of {"city":"Oslo"})");
  EXPECT_EQ(calls[0].at("decision"), "auto");
  EXPECT_EQ(told.at("usage").at("prompt_tokens"), 18) << "of both rounds";
  ASSERT_EQ(seen_->chat.messages.size(), 3u);
  EXPECT_EQ(seen_->chat.messages[2].tool_name, "weather");
  ASSERT_EQ(seen_->chat.tools.tools.size(), 2u) << "without the tool that asks";
}

TEST_F(ServerToolAnswersTest, RunInRounds) {
  const auto told = choice(R"(!call again {\"say\": \"!call weather {\\\"city\\\": \\\"Rome\\\"}\"})", kAll);
  EXPECT_EQ(told.at("message").at("content"), R"(result of {"city":"Rome"})");
  const auto& calls = told.at("message").at("parley").at("calls").as_array();
  ASSERT_EQ(calls.size(), 2u);
  EXPECT_EQ(calls[1].at("name"), "weather");
}

TEST_F(ServerToolAnswersTest, AreToldAtTheEndOfAStream) {
  const auto body = ask(kWeather, kAll + R"(,"stream":true,"stream_options":{"include_usage":true})").body;
  EXPECT_EQ(body.find("tool_calls"), std::string::npos) << body;
  const auto content = body.find(R"("delta":{"content":"result")");
  const auto end = body.find(R"("delta":{"parley":{"calls":[{"call":)");
  EXPECT_LT(content, end) << body;
  EXPECT_NE(body.find(R"("finish_reason":"stop")", end), std::string::npos);
  EXPECT_NE(body.find(R"("usage":{"prompt_tokens":18)"), std::string::npos);
  EXPECT_NE(body.find("[DONE]"), std::string::npos);
}

TEST_F(ServerToolAnswersTest, ACallOfTheClientsToolIsHandedBack) {
  for (const char* stream : {"", R"(,"stream":true)"}) {
    const auto body = ask(kWeather + R"(\n!call open {\"what\": 1})", kClientTool + kAll + stream).body;
    EXPECT_NE(body.find(R"("function":{"name":"open","arguments":)"), std::string::npos) << body;
    EXPECT_EQ(body.find(R"("function":{"name":"weather")"), std::string::npos) << body;
    EXPECT_NE(body.find(R"("finish_reason":"tool_calls")"), std::string::npos) << body;
    EXPECT_NE(body.find(R"("parley":{"calls":[{"call":)"), std::string::npos) << body;
  }
  EXPECT_EQ(weather_->runs, 2);
}

TEST_F(ServerToolAnswersTest, AClientsCallMayFollowTheServers) {
  const auto told = choice(R"(!call again {\"say\": \"!call open {}\"})", kClientTool + kAll);
  EXPECT_EQ(told.at("finish_reason"), "tool_calls");
  EXPECT_TRUE(told.at("message").at("content").is_null());
  EXPECT_EQ(told.at("message").at("tool_calls").at(0).at("function").at("name"), "open");
  EXPECT_EQ(told.at("message").at("parley").at("calls").at(0).at("name"), "again");
}

TEST_F(ServerToolAnswersTest, OneThatAsksIsDenied) {
  const auto told = choice(R"(!call shell {\"line\": \"ls\"})", R"(,"parley":{"tools":["shell"]})");
  EXPECT_EQ(shell_->runs, 0);
  EXPECT_EQ(told.at("message").at("parley").at("calls").at(0).at("state"), "denied");
  EXPECT_NE(seen_->chat.messages.back().text.find("nobody can be asked"), std::string::npos);
}

TEST_F(ServerToolAnswersTest, ALimitIsTold) {
  auto limited = fakes::state_with({weather_}, {{"*", "", Decision::automatic}}, {.max_rounds = 1});
  state_ = limited;
  const auto told = choice(kWeather, kAll);
  EXPECT_EQ(told.at("finish_reason"), "length");
  EXPECT_NE(told.at("message").at("parley").at("limit").as_string().find("1 rounds"), std::string::npos);
}

TEST_F(ServerToolAnswersTest, CallsThatAreDemandedAreAsManyAsRunAtOnce) {
  state_ = fakes::state_with({weather_}, {{"*", "", Decision::automatic}}, {.max_parallel = 2});
  const std::string demanded = R"(,"tool_choice":"required")";
  ask("hello", kClientTool + demanded);
  EXPECT_EQ(seen_->chat.tools.max_calls, 2);
  state_ = fakes::state_with({weather_}, {{"*", "", Decision::automatic}}, {.max_parallel = 7});
  ask("hello", kAll + demanded);
  EXPECT_EQ(seen_->chat.tools.max_calls, 7);
}

TEST_F(ServerToolAnswersTest, WhatCannotBeHonouredIsRefused) {
  EXPECT_EQ(refused_param(R"(,"parley":{"tools":["nothing"]})"), "parley.tools");
  EXPECT_EQ(refused_param(kAll + R"(,"tool_choice":{"type":"function","function":{"name":"shell"}})"),
            "tool_choice.function.name");
  EXPECT_EQ(refused_param(kAll + R"(,"n":2)"), "n");
  EXPECT_EQ(refused_param(kAll + R"(,"logprobs":true)"), "logprobs");
  EXPECT_EQ(refused_param(kAll + R"(,"response_format":{"type":"json_object"})"), "response_format");
  EXPECT_EQ(refused_param(R"(,"tools":[{"type":"function","function":{"name":"weather"}}])" + kAll),
            "tools[0].function.name");
}

TEST_F(ServerToolAnswersTest, AFailureBehindACallTellsWhatRan) {
  const std::string failing = R"(!call again {\"say\": \"a !fail b\"})";
  const auto told = choice(failing, kAll);
  EXPECT_EQ(told.at("finish_reason"), "length");
  EXPECT_EQ(told.at("message").at("content"), "a");
  EXPECT_EQ(told.at("message").at("parley").at("limit"), "The model failed on purpose.");
  EXPECT_EQ(told.at("message").at("parley").at("calls").at(0).at("state"), "done");
  const auto body = ask(failing, kAll + R"(,"stream":true)").body;
  EXPECT_NE(body.find("[DONE]"), std::string::npos) << body;
  EXPECT_NE(body.find(R"("limit":"The model failed on purpose.")"), std::string::npos) << body;
}

TEST_F(ServerToolAnswersTest, StopStringsAndDemandsWorkAsElsewhere) {
  EXPECT_EQ(choice(R"(!call again {\"say\": \"one two three\"})", kAll + R"(,"stop":" two")")
                .at("message")
                .at("content"),
            "one");
  const auto demanded = choice("hello", kAll + R"(,"tool_choice":"required")");
  EXPECT_EQ(demanded.at("message").at("parley").at("calls").as_array().size(), 1u);
  EXPECT_EQ(seen_->chat.tools.choice, orchestration::turn::ToolChoice::automatic);
  EXPECT_EQ(choice(kWeather, kAll + R"(,"tool_choice":"none")").at("finish_reason"), "stop");
}

TEST_F(ServerToolAnswersTest, AClientThatGoesEndsTheToolAndTheAnswer) {
  for (const char* stream : {"", R"(,"stream":true)"}) {
    weather_->runs = 0;
    weather_->wait_in_run();
    FakeExchange exchange(io_.get_executor());
    exchange.asked.head.method = "POST";
    exchange.asked.body =
        R"({"messages":[{"role":"user","content":")" + kWeather + "\"}]" + kAll + stream + "}";
    boost::asio::steady_timer timer(io_);
    const std::function<void()> look = [&] {
      timer.expires_after(std::chrono::milliseconds(5));
      timer.async_wait(
          [&](const boost::system::error_code&) { weather_->runs > 0 ? exchange.leave() : look(); });
    };
    look();
    bool returned = false;
    boost::asio::co_spawn(io_, chat_->handle(exchange), [&](const std::exception_ptr&) { returned = true; });
    io_.restart();
    io_.run_for(std::chrono::seconds(10));
    EXPECT_TRUE(returned);
    EXPECT_EQ(weather_->runs, 1);
    EXPECT_EQ(counters_->num_alive, 0);
    EXPECT_EQ(exchange.sent.find("[DONE]"), std::string::npos);
  }
}

}  // namespace
}  // namespace parley::app::api
