// The WebSocket protocol from outside.
#include "app/server/session.h"

#include <gtest/gtest.h>

#include <string>
#include <thread>

#include "app/protocol/json.h"
#include "tests/app/server/running_server.h"
#include "tests/fakes/raw_web_socket.h"

namespace parley::app::server {
namespace {

using std::chrono::milliseconds;
using tests::fakes::RawWebSocket;
namespace turn = orchestration::turn;

const std::string kChat = "22222222-2222-4222-8222-222222222222";
const std::string kOther = "33333333-3333-4333-8333-333333333333";
const std::string kMessage = "44444444-4444-4444-8444-444444444444";

std::string id_of(int number) {
  std::string digits = std::to_string(number);
  return "11111111-1111-4111-8111-" + std::string(12 - digits.size(), '0') + digits;
}

std::string command(const std::string& type, int id, const std::string& conversation,
                    const std::string& more = "") {
  return R"({"type":")" + type + R"(","id":")" + id_of(id) + R"(","conversation":")" + conversation + "\"" +
         more + "}";
}

class SessionTest : public testing::Test {
 protected:
  void SetUp() override {
    ASSERT_EQ(socket_.upgrade(), 101);
    hello_ = socket_.read_text().value_or("");
  }

  std::string ask(const std::string& frame) {
    socket_.send_text(frame);
    return socket_.read_text().value_or("closed");
  }

  std::vector<std::string> commands() {
    return server_.on_io([&] { return server_.hub.commands; });
  }

  void tell_delta(std::size_t offset, const std::string& text, const std::string& conversation = kChat) {
    server_.on_io([&] { server_.hub.tell(conversation, turn::TextDelta{kMessage, 1, offset, text}); });
  }

  RunningServer server_;
  RawWebSocket socket_{server_.port()};
  std::string hello_;
};

TEST_F(SessionTest, BeginsWithHello) {
  EXPECT_TRUE(hello_.starts_with(
      R"({"type":"hello","protocol":1,"server":"parley 9.9.9","instance":"99999999-9999-4999-8999-999999999999",)"))
      << hello_;
  EXPECT_NE(hello_.find(R"("model":{"name":"echo","state":"ready","progress":1,)"), std::string::npos)
      << hello_;
  EXPECT_NE(hello_.find(R"("defaults":{"temperature":0.7)"), std::string::npos) << hello_;
}

TEST_F(SessionTest, AnswersMistakesAndGoesOn) {
  EXPECT_TRUE(ask("nonsense").starts_with(R"({"type":"error","re":null,"code":"bad_frame")"));
  EXPECT_TRUE(ask(R"({"type":"explode","id":")" + id_of(1) + "\"}")
                  .starts_with(R"({"type":"error","re":")" + id_of(1) + R"(","code":"unknown_type")"));
  EXPECT_TRUE(ask(command("send", 2, kChat))
                  .starts_with(R"({"type":"error","re":")" + id_of(2) + R"(","code":"invalid")"));
  EXPECT_EQ(commands().size(), 0u);
  EXPECT_TRUE(ask(command("stop", 3, kChat)).starts_with(R"({"type":"ack")"));
}

TEST_F(SessionTest, SurvivesABrokenStore) {
  server_.on_io([&] { server_.hub.failure = "the disk is full"; });
  const std::string error = ask(command("send", 1, kChat, R"(,"text":"hi")"));
  EXPECT_NE(error.find(R"("code":"internal")"), std::string::npos) << error;
  EXPECT_NE(error.find("the disk is full"), std::string::npos) << error;
  EXPECT_NE(ask(command("open", 2, kChat)).find("internal"), std::string::npos);
  server_.on_io([&] { server_.hub.failure.clear(); });
  EXPECT_TRUE(ask(command("send", 1, kChat, R"(,"text":"hi")"))
                  .starts_with(R"({"type":"ack")"));  // it was not applied before
  EXPECT_EQ(server_.on_io([&] { return server_.log.size(); }), 2u);
}

TEST_F(SessionTest, AppliesACommandOnceHoweverOftenItIsSent) {
  const std::string frame = command("send", 1, kChat, R"(,"text":"hi")");
  const std::string answer = ask(frame);
  EXPECT_EQ(ask(frame), answer);
  RawWebSocket second(server_.port());
  ASSERT_EQ(second.upgrade(), 101);
  second.read_text();
  second.send_text(frame);
  EXPECT_EQ(second.read_text(), answer);
  EXPECT_EQ(commands().size(), 1u);
  EXPECT_NE(ask(command("send", 1, kChat, R"(,"text":"other")")).find(R"("code":"conflict")"),
            std::string::npos);
}

TEST_F(SessionTest, WaitsForACommandThatAnotherSocketBegan) {
  server_.on_io([&] { server_.hub.delay = milliseconds(200); });
  const std::string frame = command("send", 1, kChat, R"(,"text":"hi")");
  socket_.send_text(frame);
  EXPECT_TRUE(eventually([&] { return commands().size() == 1; }));
  socket_.client().reset();
  RawWebSocket second(server_.port());
  ASSERT_EQ(second.upgrade(), 101);
  second.read_text();
  second.send_text(frame);
  EXPECT_TRUE(second.read_text().value_or("").starts_with(R"({"type":"ack")"));
  EXPECT_EQ(commands().size(), 1u);
}

TEST_F(SessionTest, AnswersInTheOrderOfTheCommands) {
  server_.on_io([&] { server_.hub.delay = milliseconds(5); });
  for (int id = 1; id <= 20; ++id)
    socket_.send_text(id % 2 == 0 ? command("stop", id, kChat)
                                  : "{\"type\":\"models\",\"id\":\"" + id_of(id) + "\"}");
  for (int id = 1; id <= 20; ++id)
    EXPECT_NE(socket_.read_text().value_or("").find(id_of(id)), std::string::npos) << id;
}

TEST_F(SessionTest, LimitsTheRateOfCommands) {
  int limited = 0;
  for (int id = 1; id <= 150; ++id) socket_.send_text(command("close", id, kChat));
  for (int id = 1; id <= 150; ++id) {
    const std::string answer = socket_.read_text().value_or("");
    EXPECT_NE(answer.find(id_of(id)), std::string::npos);
    if (answer.find("rate_limited") != std::string::npos) ++limited;
  }
  EXPECT_GT(limited, 20);
  EXPECT_LT(limited, 51);
}

TEST_F(SessionTest, TellsTheEventsOfOpenConversations) {
  EXPECT_EQ(
      ask(command("open", 1, kChat,
                  R"(,"have":{"instance":")" + kOther + R"(","seq":4,"message":null,"epoch":0,"offset":0})")),
      R"({"type":"ack","re":")" + id_of(1) + "\"}");
  EXPECT_EQ(server_.on_io([&] { return server_.hub.have->sequence; }), 4u);
  tell_delta(0, "Hello");
  EXPECT_EQ(socket_.read_text(), R"({"type":"delta","conversation":")" + kChat + R"(","message":")" +
                                     kMessage + R"(","epoch":1,"offset":0,"text":"Hello"})");
  server_.on_io([&] { server_.hub.tell(kChat, turn::ConversationChanged{5, {}}); });
  EXPECT_NE(
      socket_.read_text().value_or("").find(R"({"type":"changed","conversation":")" + kChat + R"(","seq":5)"),
      std::string::npos);
}

TEST_F(SessionTest, TellsNothingOnceClosed) {
  ask(command("open", 1, kChat));
  EXPECT_EQ(ask(command("close", 2, kChat)), R"({"type":"ack","re":")" + id_of(2) + "\"}");
  EXPECT_TRUE(eventually([&] { return server_.on_io([&] { return server_.hub.num_subscriptions; }) == 0; }));
  tell_delta(0, "unheard");
  EXPECT_TRUE(ask(command("stop", 3, kChat)).starts_with(R"({"type":"ack")"));
}

TEST_F(SessionTest, StartsOverWhenOpenedAgain) {
  ask(command("open", 1, kChat));
  ask(command("open", 2, kChat, R"(,"have":{"instance":")" + kOther + R"(","seq":9})"));
  EXPECT_EQ(server_.on_io([&] { return server_.hub.have->sequence; }), 9u);
  EXPECT_TRUE(eventually([&] { return server_.on_io([&] { return server_.hub.num_subscriptions; }) == 1; }));
  tell_delta(0, "once");
  EXPECT_NE(socket_.read_text().value_or("").find("once"), std::string::npos);
  EXPECT_TRUE(ask(command("stop", 3, kChat)).starts_with(R"({"type":"ack")"));
}

TEST_F(SessionTest, BoundsTheOpenConversations) {
  const auto numbered = [](int number) {
    return "55555555-5555-4555-8555-5555555555" + std::to_string(number);
  };
  for (int i = 10; i < 42; ++i)
    EXPECT_TRUE(ask(command("open", i, numbered(i))).starts_with(R"({"type":"ack")")) << i;
  EXPECT_NE(ask(command("open", 99, kOther)).find(R"("code":"invalid")"), std::string::npos);
  ask(command("close", 100, numbered(10)));
  EXPECT_TRUE(ask(command("open", 101, kOther)).starts_with(R"({"type":"ack")"));
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

TEST_F(SessionTest, TellsThatTheModelFailed) {
  server_.on_io([&] { server_.slot->set_failed("The device is gone."); });
  const std::string frame = socket_.read_text().value_or("");
  EXPECT_TRUE(frame.starts_with(R"({"type":"model","model":{"name":"echo","state":"failed")")) << frame;
  EXPECT_NE(frame.find("The device is gone."), std::string::npos);
}

TEST_F(SessionTest, TakesTheLongestMessageHoweverItIsEscaped) {
  std::string text;
  for (std::size_t i = 0; i < turn::HubLimits{}.max_message_bytes; ++i) text += "\\u0007";
  EXPECT_TRUE(ask(command("send", 1, kChat, R"(,"text":")" + text + "\"")).starts_with(R"({"type":"ack")"));
  const std::size_t received = server_.on_io([&] { return server_.hub.commands.back().size(); });
  EXPECT_EQ(received, ("send " + kChat + " ").size() + turn::HubLimits{}.max_message_bytes);
  const std::size_t limit = protocol::max_frame_bytes(turn::HubLimits{});
  socket_.send_text(command("send", 2, kChat, R"(,"text":")" + std::string(limit, 'a') + "\""));
  EXPECT_EQ(socket_.read_close(), 1009);
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

TEST_F(SessionTest, EndsWithoutAWordInTheLogWhenItsClientGoes) {
  ask(command("open", 1, kChat));
  socket_.client().reset();
  EXPECT_TRUE(eventually([&] { return server_.on_io([&] { return server_.hub.num_subscriptions; }) == 0; }));
  server_.stop(milliseconds(0));
  EXPECT_TRUE(server_.wait_until_stopped(milliseconds(3000)));
  EXPECT_EQ(server_.log.size(), 0u);
}

// The hub keeps what a slow client has not taken, merged; the socket holds a bounded amount.
TEST_F(SessionTest, DoesNotQueueForASlowReader) {
  ask(command("open", 1, kChat));
  const std::string piece(100'000, 'x');
  for (int i = 0; i < 300; ++i) tell_delta(static_cast<std::size_t>(i) * piece.size(), piece);
  EXPECT_TRUE(eventually([&] { return server_.on_io([&] { return server_.hub.num_untold(kChat); }) > 100; }));
  std::size_t received = 0;
  for (int i = 0; i < 300; ++i) {
    const std::string frame = socket_.read_text().value_or("");
    received += frame.size();
  }
  EXPECT_GT(received, 300 * piece.size());
}

TEST_F(SessionTest, DropsItsSubscriptionsWhenTheClientGoes) {
  ask(command("open", 1, kChat));
  ask(command("open", 2, kOther));
  EXPECT_EQ(server_.on_io([&] { return server_.hub.num_subscriptions; }), 2);
  socket_.client().reset();
  EXPECT_TRUE(eventually([&] { return server_.on_io([&] { return server_.hub.num_subscriptions; }) == 0; }));
}

TEST_F(SessionTest, EndsWhenItsClientGoesWhileItsOutboxIsFull) {
  ask(command("open", 1, kChat));
  for (int i = 0; i < 300; ++i) tell_delta(static_cast<std::size_t>(i) * 100'000, std::string(100'000, 'x'));
  EXPECT_TRUE(eventually([&] { return server_.on_io([&] { return server_.hub.num_untold(kChat); }) > 100; }));
  socket_.client().reset();
  EXPECT_TRUE(eventually([&] { return server_.on_io([&] { return server_.hub.num_subscriptions; }) == 0; }));
}

TEST_F(SessionTest, ClosesWithAReasonWhenTheServerStops) {
  ask(command("open", 1, kChat));
  server_.stop(milliseconds(5000));
  EXPECT_EQ(socket_.read_close(), 1001);
  socket_.client().reset();
  EXPECT_TRUE(server_.wait_until_stopped(milliseconds(3000)));
}

TEST(SessionSlowTest, KeepsAClientThatTakesLongerThanASilentOneMayBe) {
  ServerOptions options;
  options.socket_limits.ping_after = milliseconds(400);
  options.socket_limits.dead_after = milliseconds(2000);
  options.socket_limits.write_stall = milliseconds(2000);
  RunningServer server(options);
  RawWebSocket socket(server.port());
  ASSERT_EQ(socket.upgrade(), 101);
  socket.read_text();
  socket.send_text(command("open", 1, kChat));
  socket.read_text();
  const std::string large(8u << 20, 'x');
  server.on_io([&] { server.hub.tell(kChat, turn::TextDelta{kMessage, 1, 0, large}); });
  std::size_t received = 0;
  for (int i = 0; i < 50; ++i) {
    received += socket.client().read_exactly(128u << 10).size();
    std::this_thread::sleep_for(milliseconds(60));
  }
  EXPECT_LT(received, large.size());
  while (received < large.size()) {
    const std::size_t more = socket.client().read_exactly(1u << 10).size();
    if (more == 0) break;
    received += more;
  }
  EXPECT_GE(received, large.size());
}

// The newest state must come, also when it was reached while the one before waited for room.
TEST(SessionLoadingTest, TellsTheLastStateToASlowReader) {
  RunningServer server({}, Model::loading);
  RawWebSocket socket(server.port());
  ASSERT_EQ(socket.upgrade(), 101);
  socket.read_text();
  socket.send_text(command("open", 1, kChat));
  socket.read_text();
  const std::string piece(100'000, 'x');
  server.on_io([&] {
    for (std::size_t i = 0; i < 300; ++i)
      server.hub.tell(kChat, turn::TextDelta{kMessage, 1, i * piece.size(), piece});
  });
  std::this_thread::sleep_for(milliseconds(300));
  for (const double progress : {0.25, 0.5}) {
    server.on_io([&] { server.slot->set_progress(progress); });
    std::this_thread::sleep_for(milliseconds(600));
  }
  socket.client().set_patience(milliseconds(1500));
  bool told = false;
  while (!told) {
    const auto frame = socket.read_text();
    if (!frame) break;
    told = frame->find(R"("progress":0.5,)") != std::string::npos;
  }
  EXPECT_TRUE(told);
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
