#include "orchestration/turn/chat_history.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace parley::orchestration::turn {
namespace {

sessions::Message message(sessions::Role role, const std::string& text) {
  sessions::Message result;
  result.role = role;
  result.text = text;
  result.token_ids = {1};
  return result;
}

TEST(ChatHistory, LeavesOutAnswersWithoutTextAndKeepsEachQuestionApart) {
  using sessions::Role;
  sessions::ChatSettings settings;
  settings.system_prompt = "system";
  const auto history = chat_history(
      settings, {message(Role::user, "q1"), message(Role::assistant, ""), message(Role::user, "q2"),
                 message(Role::assistant, "a2"), message(Role::user, "q3")});
  std::vector<std::string> texts;
  for (const prompt::ChatMessage& message : history) texts.push_back(message.text);
  EXPECT_EQ(texts, (std::vector<std::string>{"system", "q1", "q2", "a2", "q3"}));
  EXPECT_EQ(history[3].token_ids, std::vector<std::int32_t>{1});
  EXPECT_TRUE(chat_history(sessions::ChatSettings(), {}).empty());
}

TEST(ChatHistory, KnowsWhatTheNewestAnswerLeftOut) {
  using sessions::Role;
  auto answer = message(Role::assistant, "a");
  answer.left_out_turns = 5;
  EXPECT_EQ(left_out_before({message(sessions::Role::assistant, "b"), answer, message(Role::user, "q")}), 5);
  EXPECT_EQ(left_out_before({message(Role::user, "q")}), 0);
}

TEST(ChatHistory, CallsAreFollowedByTheirResultsInOrder) {
  sessions::Message answer;
  answer.role = sessions::Role::assistant;
  answer.token_ids = {1, 2, 3};
  sessions::ToolCall first;
  first.id = "one";
  first.name = "weather";
  first.arguments = R"({"city":"Oslo"})";
  first.state = sessions::CallState::done;
  first.result = "rain";
  sessions::ToolCall second = first;
  second.id = "two";
  second.state = sessions::CallState::interrupted;
  second.result.clear();
  answer.calls = {first, second};
  const auto history = chat_history({}, {answer});
  ASSERT_EQ(history.size(), 3u);
  EXPECT_EQ(history[0].token_ids, answer.token_ids);
  ASSERT_EQ(history[0].calls.size(), 2u);
  EXPECT_EQ(history[0].calls[0].arguments, first.arguments);
  EXPECT_EQ(history[1].role, sessions::Role::tool);
  EXPECT_EQ(history[1].text, "rain");
  EXPECT_EQ(history[1].call_id, "one");
  EXPECT_EQ(history[1].tool_name, "weather");
  EXPECT_NE(history[2].text.find("not known"), std::string::npos);
}

TEST(ChatHistory, ReasoningIsNoPartOfTheText) {
  const auto history = chat_history({}, {message(sessions::Role::assistant, "<think>\nhm\n</think>\n\nYes."),
                                         message(sessions::Role::user, "<think>a</think>\n\nb"),
                                         message(sessions::Role::assistant, "<think>cut")});
  EXPECT_EQ(history[0].reasoning, "\nhm\n");
  EXPECT_EQ(history[0].text, "Yes.");
  EXPECT_EQ(history[1].text, "<think>a</think>\n\nb");
  EXPECT_EQ(history[2].text, "");
  EXPECT_EQ(history[2].reasoning, "cut") << "so that it goes on there";
}

TEST(ChatHistory, AnAnswerOfReasoningAloneIsLeftOutUnlessItGoesOn) {
  using sessions::Role;
  const auto question = message(Role::user, "q");
  for (const char* text : {"<think>cut", "<think>Hm.</think>\n\n"}) {
    EXPECT_EQ(chat_history({}, {question, message(Role::assistant, text)}).size(), 2u);
    EXPECT_EQ(chat_history({}, {question, message(Role::assistant, text), question}).size(), 2u);
  }
  auto called = message(Role::assistant, "<think>Hm.</think>\n\n");
  called.calls.emplace_back().name = "weather";
  const auto history = chat_history({}, {question, called, question});
  ASSERT_EQ(history.size(), 4u);
  EXPECT_EQ(history[1].reasoning, "Hm.");
  EXPECT_EQ(history[1].text, "");
}

TEST(ChatHistory, KnowsWhereAnAnswerWasCut) {
  const auto is_cut_in_reasoning = [](const std::string& text) {
    return ends_in_reasoning(message(sessions::Role::assistant, text));
  };
  EXPECT_TRUE(is_cut_in_reasoning("<think>cut"));
  EXPECT_FALSE(is_cut_in_reasoning("<think>Hm.</think>\n\n"));
  EXPECT_FALSE(is_cut_in_reasoning("<think>Hm.</think>\n\nYes"));
  EXPECT_FALSE(is_cut_in_reasoning("The mark <think>"));
  EXPECT_FALSE(is_cut_in_reasoning(""));
  EXPECT_FALSE(ends_in_reasoning(message(sessions::Role::user, "<think>cut")));
}

}  // namespace
}  // namespace parley::orchestration::turn
