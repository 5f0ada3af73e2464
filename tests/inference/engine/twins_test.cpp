#include "inference/engine/twins.h"

#include <gtest/gtest.h>

#include "tests/inference/engine/sequence_maker.h"

namespace parley::inference::engine {
namespace {

constexpr int kPatience = 3;

class Twins : public testing::Test {
 protected:
  std::unique_ptr<Sequence> with_prompt(RequestId id, std::vector<std::int32_t> prompt,
                                        std::uint64_t salt = 0) {
    Request request = toy_request(std::move(prompt), 10);
    request.cache_salt = salt;
    return make_sequence(id, std::move(request));
  }
  void run(std::unique_ptr<Sequence> sequence) { running_.push_back(std::move(sequence)); }
  bool waits(Sequence& sequence, int hit_blocks) {
    return should_wait_for_twin(sequence, hit_blocks, running_, kPatience);
  }

  const std::vector<std::int32_t> prompt_ = toy_tokens(100, 1);
  std::vector<std::unique_ptr<Sequence>> running_;
};

TEST_F(Twins, WaitsForABlockThatAnotherIsComputing) {
  run(with_prompt(1, prompt_));
  const auto waiting = with_prompt(2, prompt_);
  EXPECT_TRUE(waits(*waiting, 0));
  running_[0]->num_published = 2;
  EXPECT_TRUE(waits(*waiting, 2));
}

TEST_F(Twins, DoesNotWaitForWhatNobodyComputes) {
  const auto waiting = with_prompt(2, prompt_);
  EXPECT_FALSE(waits(*waiting, 0));
  run(with_prompt(1, toy_tokens(100, 2)));
  EXPECT_FALSE(waits(*waiting, 0)) << "another prompt";
  run(with_prompt(3, prompt_, 9));
  EXPECT_FALSE(waits(*waiting, 0)) << "another salt";
}

TEST_F(Twins, DoesNotWaitPastTheCommonPrefix) {
  auto longer = prompt_;
  longer[50] ^= 1;  // equal in three blocks
  run(with_prompt(1, longer));
  const auto waiting = with_prompt(2, prompt_);
  EXPECT_TRUE(waits(*waiting, 2));
  EXPECT_FALSE(waits(*waiting, 3));
}

TEST_F(Twins, DoesNotWaitForABlockThatAHitMayNotCover) {
  const auto whole_blocks = toy_tokens(32, 3);
  run(with_prompt(1, whole_blocks));
  const auto waiting = with_prompt(2, whole_blocks);
  EXPECT_TRUE(waits(*waiting, 0));
  EXPECT_FALSE(waits(*waiting, 1)) << "its last token has to be computed anyway";
}

TEST_F(Twins, LosesPatienceWithATwinThatMakesNoProgress) {
  run(with_prompt(1, prompt_));
  const auto waiting = with_prompt(2, prompt_);
  for (int step = 0; step < 20; ++step) {
    ASSERT_TRUE(waits(*waiting, 0)) << "progress in every step";
    running_[0]->num_computed += 1;
  }
  for (int step = 0; step < kPatience; ++step) {
    running_[0]->num_computed += step == 0 ? 1 : 0;
    ASSERT_TRUE(waits(*waiting, 0));
  }
  EXPECT_TRUE(waits(*waiting, 0));
  EXPECT_FALSE(waits(*waiting, 0));
}

}  // namespace
}  // namespace parley::inference::engine
