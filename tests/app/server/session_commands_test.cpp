// Commands over a WebSocket: each is answered, in order.
#include <gtest/gtest.h>

#include <chrono>
#include <string>

#include "app/protocol/frames.h"
#include "tests/app/server/session_fixture.h"

namespace parley::app::server {
namespace {

using std::chrono::milliseconds;
namespace turn = orchestration::turn;
using SessionCommandsTest = SessionFixture;

TEST_F(SessionCommandsTest, AnswersMistakesAndGoesOn) {
  EXPECT_TRUE(ask("nonsense").starts_with(R"({"type":"error","re":null,"code":"bad_frame")"));
  EXPECT_TRUE(ask(R"({"type":"explode","id":")" + id_of(1) + "\"}")
                  .starts_with(R"({"type":"error","re":")" + id_of(1) + R"(","code":"unknown_type")"));
  EXPECT_TRUE(ask(command("send", 2, kChat))
                  .starts_with(R"({"type":"error","re":")" + id_of(2) + R"(","code":"invalid")"));
  EXPECT_EQ(commands().size(), 0u);
  EXPECT_TRUE(ask(command("stop", 3, kChat)).starts_with(R"({"type":"ack")"));
}

TEST_F(SessionCommandsTest, SurvivesABrokenStore) {
  server_.on_io([&] { server_.hub.failure = "the disk is full"; });
  const std::string error = ask(command("send", 1, kChat, R"(,"text":"hi")"));
  EXPECT_NE(error.find(R"("code":"internal")"), std::string::npos) << error;
  EXPECT_NE(error.find("the disk is full"), std::string::npos) << error;
  EXPECT_NE(ask(command("open", 2, kChat)).find("internal"), std::string::npos);
  server_.on_io([&] { server_.hub.failure.clear(); });
  EXPECT_TRUE(ask(command("send", 1, kChat, R"(,"text":"hi")")).starts_with(R"({"type":"ack")"));
  EXPECT_EQ(server_.on_io([&] { return server_.log.size(); }), 2u);
}

// The hub knows which commands were applied, also by an earlier run of the server.
TEST_F(SessionCommandsTest, LeavesRepeatedCommandsToTheHub) {
  const std::string frame = command("send", 1, kChat, R"(,"text":"hi")");
  const std::string answer = ask(frame);
  EXPECT_EQ(ask(frame), answer);
  EXPECT_EQ(commands().size(), 2u);
  EXPECT_EQ(server_.on_io([&] { return server_.hub.command_ids; }),
            (std::vector<std::string>{id_of(1), id_of(1)}));
}

TEST_F(SessionCommandsTest, AnswersInTheOrderOfTheCommands) {
  server_.on_io([&] { server_.hub.delay = milliseconds(5); });
  for (int id = 1; id <= 20; ++id)
    socket_.send_text(id % 2 == 0 ? command("send", id, kChat, R"(,"text":"hi")")
                                  : "{\"type\":\"models\",\"id\":\"" + id_of(id) + "\"}");
  for (int id = 1; id <= 20; ++id)
    EXPECT_NE(socket_.read_text().value_or("").find(id_of(id)), std::string::npos) << id;
}

// A tool that does not end at once holds a stop back for seconds.
TEST_F(SessionCommandsTest, GoesOnWithOthersWhileAnAnswerIsStopped) {
  for (const char* slow : {"stop", "delete"}) {
    server_.on_io([&] { server_.hub.delays = {{slow, milliseconds(700)}}; });
    const auto begin = std::chrono::steady_clock::now();
    socket_.send_text(command(slow, 1, kChat));
    socket_.send_text(command("send", 2, kChat, R"(,"text":"hi")"));
    socket_.send_text(command("open", 3, kOther));
    const auto answers = [&](int id) {
      return socket_.read_text().value_or("").find(id_of(id)) != std::string::npos;
    };
    EXPECT_TRUE(answers(3)) << slow;
    EXPECT_LT(std::chrono::steady_clock::now() - begin, milliseconds(600)) << slow;
    EXPECT_TRUE(answers(1)) << slow;
    EXPECT_TRUE(answers(2)) << slow << ": what changes its conversation comes behind it";
  }
}

TEST_F(SessionCommandsTest, OpensTheConversationWhoseAnswerIsStopped) {
  server_.on_io([&] { server_.hub.delays = {{"stop", milliseconds(700)}}; });
  socket_.send_text(command("stop", 1, kChat));
  EXPECT_TRUE(ask(command("open", 2, kChat)).find(id_of(2)) != std::string::npos);
  tell_delta(0, "meanwhile");
  EXPECT_NE(socket_.read_text().value_or("").find("meanwhile"), std::string::npos);
  EXPECT_NE(socket_.read_text().value_or("").find(id_of(1)), std::string::npos);
}

TEST_F(SessionCommandsTest, DoesWhatItHasTakenAlsoWhenItsClientGoes) {
  server_.on_io([&] { server_.hub.delays = {{"stop", milliseconds(300)}}; });
  socket_.send_text(command("stop", 1, kChat));
  socket_.send_text(command("open", 2, kChat));
  socket_.send_text(command("rename", 3, kChat, R"(,"title":"later")"));
  ASSERT_NE(socket_.read_text().value_or("").find(id_of(2)), std::string::npos);
  socket_.client().reset();
  EXPECT_TRUE(comes_to_subscriptions(0));
  EXPECT_TRUE(eventually([&] { return commands().back() == "rename " + kChat + " later"; }));
}

TEST_F(SessionCommandsTest, LimitsTheRateOfCommands) {
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

TEST_F(SessionCommandsTest, TakesTheLongestMessageHoweverItIsEscaped) {
  std::string text;
  for (std::size_t i = 0; i < turn::HubLimits{}.max_message_bytes; ++i) text += "\\u0007";
  EXPECT_TRUE(ask(command("send", 1, kChat, R"(,"text":")" + text + "\"")).starts_with(R"({"type":"ack")"));
  const std::size_t received = server_.on_io([&] { return server_.hub.commands.back().size(); });
  EXPECT_EQ(received, ("send " + kChat + " ").size() + turn::HubLimits{}.max_message_bytes);
  const std::size_t limit = protocol::max_frame_bytes(turn::HubLimits{});
  socket_.send_text(command("send", 2, kChat, R"(,"text":")" + std::string(limit, 'a') + "\""));
  EXPECT_EQ(socket_.read_close(), 1009);
}

}  // namespace
}  // namespace parley::app::server
