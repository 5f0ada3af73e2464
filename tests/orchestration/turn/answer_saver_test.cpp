#include "orchestration/turn/answer_saver.h"

#include <gtest/gtest.h>

#include <chrono>
#include <memory>
#include <string>

#include "tests/orchestration/turn/core_fixture.h"

namespace parley::orchestration::turn {
namespace {

class AnswerSaverTest : public CoreTest {
 protected:
  AnswerSaverTest() { save_every(std::chrono::milliseconds(10)); }
  ~AnswerSaverTest() override { io_.run_for(std::chrono::milliseconds(1)); }

  void save_every(std::chrono::milliseconds interval) {
    options_.persist_interval = interval;
    make_core();
    sessions::Conversation conversation;
    conversation.id = "c";
    store().create(conversation);
    sessions::Message answer;
    answer.id = "a";
    store().add_message("c", answer);
    saver_ = std::make_shared<AnswerSaver>(core_, "c", "a", [this] { ++num_failures_; });
  }

  void stop() { io_.run(AnswerSaver::stop(saver_)); }
  // Asked when no write is on its way.
  sessions::Message saved() { return store().find_message("c", "a").value(); }

  std::shared_ptr<AnswerSaver> saver_;
  int num_failures_ = 0;
};

TEST_F(AnswerSaverTest, WhatComesWithinAnIntervalIsOneWrite) {
  saver_->add("one ", {1});
  saver_->add("two ", {});
  saver_->add("", {2, 3});
  io_.run_for(std::chrono::milliseconds(50));
  stop();
  EXPECT_EQ(saved().text, "one two ");
  EXPECT_EQ(saved().token_ids, (std::vector<std::int32_t>{1, 2, 3}));
  EXPECT_EQ(store_.num_appends, 1);
}

TEST_F(AnswerSaverTest, LaterPiecesFollowInOrder) {
  for (const std::string piece : {"a", "b", "c", "d"}) {
    saver_->add(piece, {});
    io_.run_for(std::chrono::milliseconds(15));
  }
  io_.run_until([&] { return store_.num_appends >= 3; });
  io_.run_for(std::chrono::milliseconds(30));
  stop();
  EXPECT_EQ(saved().text, "abcd");
}

TEST_F(AnswerSaverTest, NothingIsNotWritten) {
  saver_->add("", {});
  io_.run_for(std::chrono::milliseconds(30));
  stop();
  EXPECT_EQ(store_.num_appends, 0);
}

TEST_F(AnswerSaverTest, StoppingDropsWhatWasNotWrittenAndDoesNotWait) {
  save_every(std::chrono::hours(1));
  saver_->add("late", {});
  io_.run_for(std::chrono::milliseconds(5));
  const auto before = std::chrono::steady_clock::now();
  stop();
  EXPECT_LT(std::chrono::steady_clock::now() - before, std::chrono::seconds(10));
  saver_->add("later still", {});
  stop();
  EXPECT_EQ(store_.num_appends, 0);
}

TEST_F(AnswerSaverTest, AFailedWriteIsToldOnceAndEndsTheSaving) {
  store_.fail_appends = true;
  saver_->add("text", {});
  io_.run_until([&] { return num_failures_ == 1; });
  store_.fail_appends = false;
  saver_->add("more", {});
  io_.run_for(std::chrono::milliseconds(30));
  EXPECT_EQ(num_failures_, 1);
  EXPECT_EQ(store_.num_appends, 1);
  EXPECT_THROW(stop(), sessions::StoreError);
}

}  // namespace
}  // namespace parley::orchestration::turn
