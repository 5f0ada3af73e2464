#include "orchestration/prompt/turns.h"

#include <gtest/gtest.h>

#include <string>

#include "tests/orchestration/prompt/chat_helper.h"

namespace parley::orchestration::prompt {
namespace {

std::string texts_of(const std::vector<ChatMessage>& messages) {
  std::string texts;
  for (const ChatMessage& message : messages) texts += message.text + " ";
  return texts;
}

const std::vector<ChatMessage> kChat = {system_says("s1"),    user_says("u1"),     assistant_says("a1"),
                                        assistant_says("a2"), user_says("u2"),     system_says("s2"),
                                        user_says("u3"),      assistant_says("a3")};

TEST(Turns, BeginWithUserMessages) {
  const Turns turns(kChat);
  EXPECT_EQ(turns.count(), 3u);
  EXPECT_EQ(turns.num_bytes(0), 6u);
  EXPECT_EQ(turns.num_bytes(1), 4u);
  EXPECT_EQ(turns.num_bytes(2), 4u);
}

TEST(Turns, LeavingOutKeepsSystemMessages) {
  const Turns turns(kChat);
  EXPECT_EQ(texts_of(turns.without_oldest(0)), "s1 u1 a1 a2 u2 s2 u3 a3 ");
  EXPECT_EQ(texts_of(turns.without_oldest(1)), "s1 u2 s2 u3 a3 ");
  EXPECT_EQ(texts_of(turns.without_oldest(2)), "s1 s2 u3 a3 ");
}

TEST(Turns, KnowWhereATurnStandsAfterLeavingOut) {
  const Turns turns(kChat);
  for (std::size_t left_out = 0; left_out < turns.count(); ++left_out) {
    const auto kept = turns.without_oldest(left_out);
    for (std::size_t turn = left_out; turn < turns.count(); ++turn) {
      EXPECT_EQ(kept[turns.place_of(turn, left_out).message].text, "u" + std::to_string(turn + 1));
    }
  }
}

TEST(Turns, AnswersBeforeTheFirstQuestionAreATurn) {
  const std::vector<ChatMessage> chat = {assistant_says("a0"), assistant_says("a1"), user_says("u1")};
  const Turns turns(chat);
  EXPECT_EQ(turns.count(), 2u);
  EXPECT_EQ(texts_of(turns.without_oldest(1)), "u1 ");
}

TEST(Turns, QuestionsInARowAreTurnsOfTheirOwnAndBecomeOneMessage) {
  const std::vector<ChatMessage> chat = {system_says("s"), user_says("u1"),      user_says("u2"),
                                         user_says("u3"),  assistant_says("a3"), user_says("u4"),
                                         user_says("u5")};
  const Turns turns(chat);
  EXPECT_EQ(turns.count(), 5u);
  EXPECT_EQ(texts_of(turns.without_oldest(0)), "s u1\n\nu2\n\nu3 a3 u4\n\nu5 ");
  EXPECT_EQ(texts_of(turns.without_oldest(1)), "s u2\n\nu3 a3 u4\n\nu5 ");
  EXPECT_EQ(texts_of(turns.without_oldest(2)), "s u3 a3 u4\n\nu5 ");
  EXPECT_EQ(texts_of(turns.without_oldest(4)), "s u5 ");
  for (std::size_t left_out = 0; left_out < turns.count(); ++left_out) {
    const auto kept = turns.without_oldest(left_out);
    for (std::size_t turn = left_out; turn < turns.count(); ++turn) {
      const auto [message, offset] = turns.place_of(turn, left_out);
      EXPECT_EQ(kept[message].text.substr(offset, 2), "u" + std::to_string(turn + 1)) << left_out;
    }
  }
}

TEST(Turns, ThereAreNoneInAnEmptyConversation) {
  const std::vector<ChatMessage> chat = {system_says("s")};
  EXPECT_EQ(Turns(chat).count(), 0u);
  EXPECT_EQ(texts_of(Turns(chat).without_oldest(0)), "s ");
}

}  // namespace
}  // namespace parley::orchestration::prompt
