#include "app/models/embedding_runner.h"

#include <gtest/gtest.h>

#include <atomic>
#include <future>
#include <stdexcept>
#include <thread>

#include "tests/fakes/eventually.h"

namespace parley::app::models {
namespace {

using inference::encoder::TokenIds;
using tests::fakes::eventually;
using Urgency = EmbeddingRunner::Urgency;
using namespace std::chrono_literals;

// Two sequences a pass, two layers; a sequence's vector is its first id, twice.
class ToyEncoder final : public inference::encoder::Encoder {
 public:
  struct Log {
    std::atomic<int> layers{0};
    std::atomic<int> concurrent{0}, most_concurrent{0};
    std::atomic<bool> hold{false};
    std::vector<std::int32_t> order;  // first ids of passes
  };
  explicit ToyEncoder(std::shared_ptr<Log> log) : log_(std::move(log)) {}

  std::size_t begin(std::span<const TokenIds> sequences) override {
    while (log_->hold) std::this_thread::sleep_for(1ms);
    taken_.assign(sequences.begin(), sequences.begin() + std::min<std::ptrdiff_t>(2, std::ssize(sequences)));
    log_->order.push_back(taken_.front().front());
    left_ = 2;
    return taken_.size();
  }
  bool advance() override {
    log_->most_concurrent = std::max<int>(log_->most_concurrent, ++log_->concurrent);
    std::this_thread::sleep_for(1ms);
    --log_->concurrent;
    ++log_->layers;
    return --left_ > 0;
  }
  void finish(std::span<float> out) override {
    for (std::size_t i = 0; i < out.size(); ++i) out[i] = static_cast<float>(taken_[i / 2].front());
  }

 private:
  std::shared_ptr<Log> log_;
  std::vector<TokenIds> taken_;
  int left_ = 0;
};

class EmbeddingRunnerTest : public testing::Test {
 protected:
  std::future<std::vector<float>> embed(std::vector<TokenIds> sequences, Urgency urgency = Urgency::in_turn) {
    return std::async(std::launch::async, [runner = runner_.get(), sequences = std::move(sequences),
                                           urgency] { return runner->embed(sequences, urgency); });
  }

  std::shared_ptr<ToyEncoder::Log> log_ = std::make_shared<ToyEncoder::Log>();
  std::unique_ptr<EmbeddingRunner> runner_ =
      std::make_unique<EmbeddingRunner>(std::make_unique<ToyEncoder>(log_), 2);
};

using Rows = std::vector<float>;

TEST_F(EmbeddingRunnerTest, WorksWithoutAnEngineInAsManyPassesAsItTakes) {
  EXPECT_EQ(embed({{1}, {2}, {3}, {4}, {5}}).get(), (Rows{1, 1, 2, 2, 3, 3, 4, 4, 5, 5}));
  EXPECT_EQ(log_->layers, 6);
  EXPECT_TRUE(embed({}).get().empty());
}

TEST_F(EmbeddingRunnerTest, AQuestionGoesBetweenThePassesOfDocuments) {
  log_->hold = true;
  auto documents = embed({{1}, {2}, {3}, {4}, {5}, {6}});
  std::this_thread::sleep_for(20ms);
  auto question = embed({{9}}, Urgency::now);
  std::this_thread::sleep_for(20ms);
  log_->hold = false;
  EXPECT_EQ(question.get(), (Rows{9, 9}));
  documents.get();
  EXPECT_EQ(log_->order, (std::vector<std::int32_t>{1, 9, 3, 5}));
}

TEST_F(EmbeddingRunnerTest, AnAttachedEngineDoesTheWorkInSlices) {
  std::atomic<int> wakes{0};
  runner_->attach([&] { ++wakes; });
  auto documents = embed({{1}, {2}, {3}, {4}, {5}, {6}});
  EXPECT_TRUE(eventually([&] { return wakes > 0; }));
  std::this_thread::sleep_for(30ms);
  EXPECT_EQ(log_->layers, 0);  // nobody but the engine
  EXPECT_TRUE(runner_->run(2ms));
  EXPECT_LT(log_->layers, 6);
  while (runner_->run(2ms)) {
  }
  EXPECT_EQ(documents.get(), (Rows{1, 1, 2, 2, 3, 3, 4, 4, 5, 5, 6, 6}));
}

TEST_F(EmbeddingRunnerTest, WorkChangesHandsInTheMiddleOfAPassAndIsNeverDoneTwiceAtATime) {
  std::vector<TokenIds> many;
  for (int i = 0; i < 200; ++i) many.push_back({i});
  auto documents = embed(many);
  EXPECT_TRUE(eventually([&] { return log_->layers > 4; }));
  for (int i = 0; i < 10; ++i) {
    runner_->attach([] {});
    runner_->run(5ms);
    runner_->detach();
    std::this_thread::sleep_for(3ms);
  }
  const Rows rows = documents.get();
  for (std::size_t i = 0; i < many.size(); ++i) EXPECT_EQ(rows[2 * i], static_cast<float>(i));
  EXPECT_EQ(log_->most_concurrent, 1);
}

TEST_F(EmbeddingRunnerTest, WhatWaitsAtTheEndIsRefused) {
  runner_->attach([] {});
  auto documents = embed({{1}});
  std::this_thread::sleep_for(20ms);
  runner_.reset();
  EXPECT_THROW(documents.get(), std::runtime_error);
}

}  // namespace
}  // namespace parley::app::models
