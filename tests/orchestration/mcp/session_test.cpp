#include "orchestration/mcp/session.h"

#include <gtest/gtest.h>

#include <thread>

#include "tests/orchestration/mcp/scripted_transport.h"

namespace parley::orchestration::mcp {
namespace {

using inference::json::JsonObject;
using inference::json::JsonValue;
using std::chrono::milliseconds;
using Clock = std::chrono::steady_clock;
using Kind = RequestFailure::Kind;

struct SessionTest : testing::Test {
  SessionTest() : session(script->transport(script), log, events()) { session.start(); }

  SessionEvents events() {
    return {.on_tools_changed = [this] { ++changes; }, .on_closed = [this] { ++ends; }};
  }
  void speak_legacy() { session.speak({.era = Era::legacy, .version = "2025-11-25"}); }
  Reply ask(const std::string& method, milliseconds time = milliseconds(5000)) {
    Request request;
    request.method = method;
    return session.request(std::move(request),
                           {.deadline = Clock::now() + time, .stop = {}, .on_progress = {}});
  }
  std::string log_text() const {
    std::string text;
    for (const LogLine& line : log.lines()) text += line.text + "\n";
    return text;
  }

  std::shared_ptr<Script> script = std::make_shared<Script>();
  ServerLog log;
  std::atomic<int> changes{0};
  std::atomic<int> ends{0};
  Session session;
};

TEST_F(SessionTest, a_modern_request_says_version_and_client_each_time) {
  script->on_send = [](Script& server, const Outgoing& message) {
    server.answer(message.request, R"({"ok":true})");
  };
  EXPECT_EQ(std::get<JsonObject>(ask("tools/list")).at("ok"), JsonValue(true));
  const std::string text = script->sent().front().text;
  EXPECT_NE(text.find(R"("io.modelcontextprotocol/protocolVersion":"2026-07-28")"), std::string::npos)
      << text;
  EXPECT_NE(text.find(R"("io.modelcontextprotocol/clientCapabilities":{})"), std::string::npos);
  EXPECT_NE(text.find(R"("name":"parley")"), std::string::npos);
  speak_legacy();
  ask("tools/list");
  EXPECT_EQ(script->sent().back().text.find("_meta"), std::string::npos);
}

TEST_F(SessionTest, wrong_double_and_late_ids_are_noted_and_dropped) {
  script->on_send = [](Script& server, const Outgoing& message) {
    server.answer(message.request + 1000, R"({"wrong":1})");
    server.say(R"({"id":")" + std::to_string(message.request) + R"(","result":{"text":1}})");
    server.answer(message.request, R"({"right":1})");
    server.answer(message.request, R"({"second":1})");
  };
  EXPECT_TRUE(std::get<JsonObject>(ask("a")).contains("right"));
  EXPECT_EQ(session.end_reason(), "");
  EXPECT_NE(log_text().find("id 1001"), std::string::npos) << log_text();
}

TEST_F(SessionTest, lines_that_are_no_messages_are_logged_and_do_no_harm) {
  script->on_send = [](Script& server, const Outgoing& message) {
    server.say("Server listening on stdio");
    server.say("");
    server.say("  \r");
    server.answer(message.request, "{}");
  };
  EXPECT_TRUE(std::holds_alternative<JsonObject>(ask("a")));
  EXPECT_NE(log_text().find("Server listening on stdio"), std::string::npos);
}

TEST_F(SessionTest, an_answer_that_cannot_be_read_fails_its_request_at_once) {
  script->on_send = [](Script& server, const Outgoing& message) {
    server.answer(message.request, R"({"a":)" + std::string(10000, '[') + std::string(10000, ']') + "}");
  };
  const auto failure = std::get<RequestFailure>(ask("a"));
  EXPECT_EQ(failure.kind, Kind::undelivered);
  EXPECT_NE(failure.message.find("cannot be read"), std::string::npos) << failure.message;
}

TEST_F(SessionTest, a_request_given_up_is_cancelled_once) {
  EXPECT_EQ(std::get<RequestFailure>(ask("tools/call", milliseconds(20))).kind, Kind::timed_out);
  const auto cancels = script->sent_with("notifications/cancelled");
  ASSERT_EQ(cancels.size(), 1u);
  EXPECT_NE(cancels[0].find(R"("requestId":1)"), std::string::npos);
}

TEST_F(SessionTest, pings_are_answered_and_other_requests_of_a_legacy_server_refused) {
  speak_legacy();
  script->say(R"({"id":"p","method":"ping"})");
  script->say(R"({"id":5,"method":"sampling/createMessage","params":{}})");
  script->say(R"({"id":6,"method":"roots/list"})");
  const auto sent = script->sent();
  ASSERT_EQ(sent.size(), 3u);
  EXPECT_EQ(sent[0].text, R"({"jsonrpc":"2.0","id":"p","result":{}})");
  EXPECT_NE(sent[1].text.find(R"("id":5,"error":{"code":-32601)"), std::string::npos) << sent[1].text;
  EXPECT_NE(sent[2].text.find(R"("id":6,"error":{"code":-32601)"), std::string::npos);
}

TEST_F(SessionTest, a_modern_server_gets_no_answers) {
  script->say(R"({"id":5,"method":"elicitation/create","params":{}})");
  EXPECT_TRUE(script->sent().empty());
  EXPECT_NE(log_text().find("elicitation/create was ignored"), std::string::npos);
}

TEST_F(SessionTest, progress_reaches_the_request_that_it_is_about) {
  script->on_send = [](Script& server, const Outgoing& message) {
    const std::string token = std::to_string(message.request);
    server.say(R"({"method":"notifications/progress","params":{"progressToken":77,"progress":9}})");
    server.say(R"({"method":"notifications/progress","params":{"progressToken":)" + token +
               R"(,"progress":1,"total":4,"message":"a\u001b[1mb"}})");
  };
  Request request;
  request.method = "tools/call";
  std::vector<Progress> seen;
  std::stop_source stop;
  const Reply reply = session.request(std::move(request), {.deadline = Clock::now() + milliseconds(5000),
                                                           .stop = stop.get_token(),
                                                           .on_progress = [&](const Progress& progress) {
                                                             seen.push_back(progress);
                                                             stop.request_stop();
                                                           }});
  EXPECT_EQ(std::get<RequestFailure>(reply).kind, Kind::cancelled);
  ASSERT_EQ(seen.size(), 1u);
  EXPECT_EQ(seen[0].progress, 1);
  EXPECT_EQ(seen[0].total, 4);
  EXPECT_EQ(seen[0].message, "ab");
  EXPECT_NE(script->sent().front().text.find(R"("progressToken":1)"), std::string::npos);
}

TEST_F(SessionTest, list_changes_and_log_messages_are_passed_on) {
  script->say(R"({"method":"notifications/tools/list_changed"})");
  script->say(R"({"method":"notifications/message","params":{"level":"warning","data":"disk is full"}})");
  script->say(R"({"method":"notifications/message","params":{"level":"info","data":{"a":[1]}}})");
  script->log("stderr \x1b[31mline");
  EXPECT_EQ(changes, 1);
  EXPECT_NE(log_text().find("warning: disk is full"), std::string::npos);
  EXPECT_NE(log_text().find(R"(info: {"a":[1]})"), std::string::npos);
  EXPECT_NE(log_text().find("stderr line"), std::string::npos);
}

TEST_F(SessionTest, an_error_without_an_id_belongs_to_the_request_of_its_stream) {
  script->on_send = [](Script& server, const Outgoing& message) {
    server.say(R"({"error":{"code":-32020,"message":"Header mismatch"}})", message.request);
  };
  EXPECT_EQ(std::get<RequestFailure>(ask("a")).code, -32020);
}

TEST_F(SessionTest, a_flood_ends_the_connection) {
  const std::string noise(65536, 'x');  // counts for many, so that a slow machine sees a flood too
  int sent = 0;
  while (!session.is_closed() && sent < 100000) {
    script->say(R"({"method":"notifications/message","params":{"data":")" + noise + "\"}}");
    ++sent;
  }
  EXPECT_TRUE(session.is_closed());
  EXPECT_LT(sent, 1000);
  EXPECT_EQ(ends, 1);
  EXPECT_NE(session.end_reason().find("floods"), std::string::npos);
  EXPECT_EQ(std::get<RequestFailure>(ask("a")).kind, Kind::closed);
}

TEST_F(SessionTest, long_answers_that_nobody_waits_for_are_a_flood) {
  const std::string noise(1 << 20, 'x');  // counts for 257
  int sent = 0;
  for (; !session.is_closed() && sent < 1000; ++sent) script->answer(999999, R"({"a":")" + noise + "\"}");
  EXPECT_LT(sent, 100);
  EXPECT_NE(session.end_reason().find("floods"), std::string::npos);
}

TEST_F(SessionTest, a_long_answer_that_comes_too_late_is_no_flood) {
  const std::string answer = R"({"a":")" + std::string(9 << 20, 'x') + "\"}";
  for (std::int64_t i = 1; i <= 4; ++i) {
    EXPECT_EQ(std::get<RequestFailure>(ask("tools/call", milliseconds(5))).kind, Kind::timed_out);
    script->answer(i, answer);
  }
  EXPECT_EQ(session.end_reason(), "");
  for (int i = 0; i < 4 && !session.is_closed(); ++i) script->answer(1, answer);
  EXPECT_NE(session.end_reason(), "") << "once for each request";
}

TEST_F(SessionTest, answers_that_were_asked_for_are_no_flood) {
  script->on_send = [](Script& server, const Outgoing& message) { server.answer(message.request, "{}"); };
  for (int i = 0; i < 8000; ++i) ASSERT_TRUE(std::holds_alternative<JsonObject>(ask("a"))) << i;
}

TEST_F(SessionTest, the_first_reason_for_the_end_stays) {
  script->end("exited with status 3");
  script->end("a pipe is closed");
  session.close("bye");
  EXPECT_EQ(session.end_reason(), "exited with status 3");
  EXPECT_EQ(ends, 1);
  EXPECT_TRUE(script->is_closed());
}

}  // namespace
}  // namespace parley::orchestration::mcp
