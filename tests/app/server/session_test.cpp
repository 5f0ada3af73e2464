// What the server says of its own accord: the greeting, the model, the list of conversations, its end.
#include "app/server/session.h"

#include <gtest/gtest.h>

#include <string>

#include "tests/app/server/session_fixture.h"

namespace parley::app::server {
namespace {

using std::chrono::milliseconds;
using tests::fakes::RawWebSocket;
namespace turn = orchestration::turn;
using SessionTest = SessionFixture;

TEST_F(SessionTest, BeginsWithHello) {
  EXPECT_TRUE(hello_.starts_with(
      R"({"type":"hello","protocol":1,"server":"parley 9.9.9","instance":"99999999-9999-4999-8999-999999999999",)"))
      << hello_;
  EXPECT_NE(hello_.find(R"("model":{"name":"echo","state":"ready","progress":1,)"), std::string::npos)
      << hello_;
  EXPECT_NE(hello_.find(R"("defaults":{"temperature":0.7)"), std::string::npos) << hello_;
}

TEST_F(SessionTest, TellsChangesOfTheList) {
  server_.on_io([&] {
    turn::ConversationSummary summary;
    summary.conversation.id = kChat;
    server_.hub.tell_list(summary);
  });
  EXPECT_TRUE(
      socket_.read_text().value_or("").starts_with(R"({"type":"listed","item":{"conversation":")" + kChat));
}

TEST_F(SessionTest, TellsThatTheToolsChanged) {
  RawWebSocket other(server_.port());
  ASSERT_EQ(other.upgrade(), 101);
  ASSERT_TRUE(other.read_text());
  ask(command("close", 1, kChat));  // both sockets are served by now
  server_.on_io([&] { server_.tools.tell(); });
  EXPECT_EQ(socket_.read_text(), R"({"type":"tools_changed"})");
  EXPECT_EQ(other.read_text(), R"({"type":"tools_changed"})");
  server_.on_io([&] { server_.tools.tools.problems = {"tools.json: no."}; });
  const std::string answer = ask(R"({"type":"tools","id":")" + id_of(2) + "\"}");
  EXPECT_EQ(answer, R"({"type":"tools","re":")" + id_of(2) +
                        R"(","items":[],"counted":false,"profile":"weak","approvals":[],"servers":[],)"
                        R"("problems":["tools.json: no."],"file":null,"off":null})");
}

TEST_F(SessionTest, TellsThatTheModelFailed) {
  server_.on_io([&] { server_.slot->set_failed("The device is gone."); });
  const std::string frame = socket_.read_text().value_or("");
  EXPECT_TRUE(frame.starts_with(R"({"type":"model","model":{"name":"echo","state":"failed")")) << frame;
  EXPECT_NE(frame.find("The device is gone."), std::string::npos);
}

TEST_F(SessionTest, EndsAndTellsTheOperatorWhenItCannotSayWhatHappens) {
  server_.on_io([&] {
    server_.hub.list_failure = "the disk is full";
    server_.hub.tell_list({});
  });
  EXPECT_EQ(socket_.read_close(), 1011);
  const auto log = server_.on_io([&] { return server_.log; });
  ASSERT_EQ(log.size(), 1u);
  EXPECT_NE(log[0].find("the disk is full"), std::string::npos) << log[0];
}

TEST_F(SessionTest, ClosesWithAReasonWhenTheServerStops) {
  ask(command("open", 1, kChat));
  server_.stop(milliseconds(5000));
  EXPECT_EQ(socket_.read_close(), 1001);
  socket_.client().reset();
  EXPECT_TRUE(server_.wait_until_stopped(milliseconds(3000)));
}

TEST(SessionLoadingTest, TellsHowFarLoadingIs) {
  RunningServer server({}, Model::loading);
  RawWebSocket socket(server.port());
  ASSERT_EQ(socket.upgrade(), 101);
  EXPECT_NE(socket.read_text().value_or("").find(R"("state":"loading","progress":0,)"), std::string::npos);
  server.on_io([&] { server.slot->set_progress(0.5); });
  EXPECT_NE(socket.read_text().value_or("").find(R"("progress":0.5,)"), std::string::npos);
  server.on_io([&] { server.slot->set_ready(tests::fakes::make_echo_chat_model({}, server.counters)); });
  EXPECT_NE(socket.read_text().value_or("").find(R"("state":"ready")"), std::string::npos);
}

}  // namespace
}  // namespace parley::app::server
