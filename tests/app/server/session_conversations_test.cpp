// Conversations that a socket has opened: what it is told of them, and until when.
#include <gtest/gtest.h>

#include <string>

#include "tests/app/server/session_fixture.h"

namespace parley::app::server {
namespace {

namespace turn = orchestration::turn;
using SessionConversationsTest = SessionFixture;

TEST_F(SessionConversationsTest, TellsTheEventsOfOpenConversations) {
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

TEST_F(SessionConversationsTest, TellsNothingOnceClosed) {
  ask(command("open", 1, kChat));
  EXPECT_EQ(ask(command("close", 2, kChat)), R"({"type":"ack","re":")" + id_of(2) + "\"}");
  EXPECT_TRUE(comes_to_subscriptions(0));
  tell_delta(0, "unheard");
  EXPECT_TRUE(ask(command("stop", 3, kChat)).starts_with(R"({"type":"ack")"));
}

TEST_F(SessionConversationsTest, StartsOverWhenOpenedAgain) {
  ask(command("open", 1, kChat));
  ask(command("open", 2, kChat, R"(,"have":{"instance":")" + kOther + R"(","seq":9})"));
  EXPECT_EQ(server_.on_io([&] { return server_.hub.have->sequence; }), 9u);
  EXPECT_TRUE(comes_to_subscriptions(1));
  tell_delta(0, "once");
  EXPECT_NE(socket_.read_text().value_or("").find("once"), std::string::npos);
  EXPECT_TRUE(ask(command("stop", 3, kChat)).starts_with(R"({"type":"ack")"));
}

TEST_F(SessionConversationsTest, BoundsTheOpenConversations) {
  const auto numbered = [](int number) {
    return "55555555-5555-4555-8555-5555555555" + std::to_string(number);
  };
  for (int i = 10; i < 42; ++i)
    EXPECT_TRUE(ask(command("open", i, numbered(i))).starts_with(R"({"type":"ack")")) << i;
  EXPECT_NE(ask(command("open", 99, kOther)).find(R"("code":"invalid")"), std::string::npos);
  ask(command("close", 100, numbered(10)));
  EXPECT_TRUE(ask(command("open", 101, kOther)).starts_with(R"({"type":"ack")"));
}

TEST_F(SessionConversationsTest, DropsItsSubscriptionsWhenTheClientGoes) {
  ask(command("open", 1, kChat));
  ask(command("open", 2, kOther));
  EXPECT_EQ(server_.on_io([&] { return server_.hub.num_subscriptions; }), 2);
  socket_.client().reset();
  EXPECT_TRUE(comes_to_subscriptions(0));
}

}  // namespace
}  // namespace parley::app::server
