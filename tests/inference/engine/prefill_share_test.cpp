#include "inference/engine/prefill_share.h"

#include <gtest/gtest.h>

#include "tests/inference/engine/sequence_maker.h"

namespace parley::inference::engine {
namespace {

TEST(PrefillShare, GivesTheShortestItsTokensFirst) {
  const auto a = make_sequence(1, 100);
  const auto b = make_sequence(2, 20);
  const auto c = make_sequence(3, 30);
  std::vector<Sequence*> prefilling = {a.get(), b.get(), c.get()};
  std::vector<Chunk> chunks;
  share_prefill(prefilling, 64, chunks);
  ASSERT_EQ(chunks.size(), 3u);
  EXPECT_EQ(chunks[0].sequence, b.get());
  EXPECT_EQ(chunks[0].num_tokens, 20);
  EXPECT_TRUE(chunks[0].draws_token());
  EXPECT_EQ(chunks[1].sequence, c.get());
  EXPECT_EQ(chunks[2].sequence, a.get());
  EXPECT_EQ(chunks[2].num_tokens, 14);
  EXPECT_FALSE(chunks[2].draws_token());
}

TEST(PrefillShare, PrefersTheOlderOfTwoEqualOnes) {
  const auto a = make_sequence(1, 50);
  const auto b = make_sequence(2, 50);
  std::vector<Sequence*> prefilling = {b.get(), a.get()};
  std::vector<Chunk> chunks;
  share_prefill(prefilling, 40, chunks);
  ASSERT_EQ(chunks.size(), 1u);
  EXPECT_EQ(chunks[0].sequence, a.get());
}

TEST(PrefillShare, DoesNotLetALongPromptWaitForever) {
  const auto giant = make_sequence(1, 8000);
  int waited = 0;
  for (RequestId id = 2;; ++id) {  // in each step another short prompt that would take the whole budget
    const auto brief = make_sequence(id, 16);
    std::vector<Sequence*> prefilling = {giant.get(), brief.get()};
    std::vector<Chunk> chunks;
    share_prefill(prefilling, 16, chunks);
    if (chunks.front().sequence == giant.get()) break;
    ASSERT_LT(++waited, 12);
  }
  EXPECT_GT(waited, 4);
  EXPECT_EQ(giant->skipped_steps, 0);
}

TEST(PrefillShare, KnowsHowManyTokensGoFirst) {
  const auto a = make_sequence(1, 100);
  const auto b = make_sequence(2, 20);
  const std::vector<Sequence*> prefilling = {a.get(), b.get()};
  EXPECT_EQ(tokens_ahead_of(10, prefilling), 0);
  EXPECT_EQ(tokens_ahead_of(20, prefilling), 20);
  EXPECT_EQ(tokens_ahead_of(500, prefilling), 120);
  a->skipped_steps = 4;  // counts as 6 tokens
  EXPECT_EQ(tokens_ahead_of(10, prefilling), 100);
}

}  // namespace
}  // namespace parley::inference::engine
