#include "orchestration/prompt/history_fitter.h"

#include <gtest/gtest.h>

#include <random>
#include <string>

#include "tests/fakes/fake_tokenizer.h"
#include "tests/orchestration/prompt/chat_helper.h"

namespace parley::orchestration::prompt {
namespace {

// A prompt is the messages' bytes, one id each.
class HistoryFitterTest : public testing::Test {
 protected:
  void add_turn(std::size_t question_bytes, std::size_t answer_bytes) {
    messages_.push_back(user_says(std::string(question_bytes, 'q')));
    messages_.push_back(assistant_says(std::string(answer_bytes, 'a')));
  }

  TrialPrompt make(const Turns& turns, std::size_t num_left_out) {
    ++num_trials_;
    TrialPrompt trial;
    std::string text;
    for (const ChatMessage& message : turns.without_oldest(num_left_out)) {
      trial.message_begins.push_back(shown_ ? text.size() : std::string_view::npos);
      text += message.text;
    }
    trial.encoded.ids = fakes::byte_ids(text);
    trial.encoded.pieces.push_back({0, text.size(), 0, text.size()});
    return trial;
  }

  std::variant<Prompt, PromptTooLong> fit(std::size_t max_tokens, std::size_t surely_left_out = 0) {
    const Turns turns(messages_);
    const HistoryFitter::MakePrompt make_prompt = [&](std::size_t left_out) { return make(turns, left_out); };
    num_trials_ = 0;
    return HistoryFitter(tokenizer_, turns, make_prompt, max_tokens).fit(surely_left_out);
  }
  int left_out(std::size_t max_tokens) { return std::get<Prompt>(fit(max_tokens)).left_out_turns; }

  // The obvious way: one turn after the other.
  int left_out_obviously(std::size_t max_tokens) {
    const Turns turns(messages_);
    std::size_t left_out = 0;
    while (make(turns, left_out).encoded.ids.size() > max_tokens) ++left_out;
    return static_cast<int>(left_out);
  }

  const fakes::FakeTokenizer tokenizer_;
  std::vector<ChatMessage> messages_;
  bool shown_ = true;  // whether the template shows the messages' texts
  int num_trials_ = 0;
};

TEST_F(HistoryFitterTest, WhatFitsIsMadeOnce) {
  add_turn(10, 10);
  add_turn(10, 10);
  const Prompt prompt = std::get<Prompt>(fit(40));
  EXPECT_EQ(prompt.left_out_turns, 0);
  EXPECT_EQ(prompt.ids.size(), 40u);
  EXPECT_EQ(num_trials_, 1);
}

TEST_F(HistoryFitterTest, LeavesOutAsManyAsTheObviousWay) {
  std::mt19937 random(4);
  for (int round = 0; round < 50; ++round) {
    messages_ = {system_says("system")};
    for (std::size_t i = 2 + random() % 30; i > 0; --i) {
      add_turn(random() % 60, random() % 200);
      if (random() % 4 == 0) messages_.pop_back();  // a question without an answer
    }
    add_turn(5, 0);
    for (std::size_t room = 11; room < 800; room += 37) ASSERT_EQ(left_out(room), left_out_obviously(room));
  }
}

TEST_F(HistoryFitterTest, ReadsTheAnswerOffTheFirstPrompt) {
  for (int i = 0; i < 500; ++i) add_turn(20, 80);
  for (const std::size_t room : {100u, 1000u, 25'000u, 49'999u}) {
    EXPECT_EQ(left_out(room), static_cast<int>(500 - room / 100));
    EXPECT_LE(num_trials_, 3) << room;  // the first, the right one, and the one that shows it is the fewest
  }
}

TEST_F(HistoryFitterTest, WithoutPlacesInTheTextItSearchesFurther) {
  shown_ = false;
  for (int i = 0; i < 100; ++i) add_turn(20, 80);
  const Prompt prompt = std::get<Prompt>(fit(1000));
  EXPECT_LE(prompt.ids.size(), 1000u);
  EXPECT_LE(num_trials_, 12);
}

TEST_F(HistoryFitterTest, TheNewestTurnStays) {
  add_turn(10, 10);
  add_turn(10, 40);
  EXPECT_EQ(left_out(50), 1);
  const auto refused = std::get<PromptTooLong>(fit(49));
  EXPECT_EQ(refused.limit, 49);
  EXPECT_EQ(refused.actual, 50);
}

TEST_F(HistoryFitterTest, BeginsBehindTheTurnsThatSurelyDoNotFit) {
  for (int i = 0; i < 10; ++i) add_turn(50, 50);
  EXPECT_EQ(std::get<Prompt>(fit(300, 7)).left_out_turns, 7);
  EXPECT_EQ(num_trials_, 1);
  EXPECT_EQ(std::get<Prompt>(fit(250, 7)).left_out_turns, 8);
  EXPECT_EQ(std::get<PromptTooLong>(fit(99, 9)).actual, 100);
}

TEST(HistoryFitterPrompt, KeepsIdsAndCounts) {
  EncodedPrompt encoded;
  encoded.ids = {1, 2, 3};
  encoded.num_answer_ids = 2;
  const Prompt prompt = to_prompt(encoded, 4);
  EXPECT_EQ(prompt.ids, encoded.ids);
  EXPECT_EQ(prompt.num_answer_ids, 2u);
  EXPECT_EQ(prompt.left_out_turns, 4);
}

}  // namespace
}  // namespace parley::orchestration::prompt
