#include "inference/tokenizer/merge_table.h"

#include <gtest/gtest.h>

#include <map>
#include <random>
#include <utility>

namespace parley::inference::tokenizer {
namespace {

TEST(MergeTable, an_empty_one_finds_nothing) {
  const MergeTable merges(0);
  EXPECT_EQ(merges.find(0, 0), MergeTable::kNoRank);
  EXPECT_EQ(merges.find(-1, 7), MergeTable::kNoRank);
}

TEST(MergeTable, ranks_follow_the_order_of_adding) {
  MergeTable merges(3);
  EXPECT_TRUE(merges.add(0, 0, 5));
  EXPECT_TRUE(merges.add(0, 1, 6));
  EXPECT_TRUE(merges.add(1, 0, 7));
  EXPECT_EQ(merges.find(0, 0), 0u);
  EXPECT_EQ(merges.find(0, 1), 1u);
  EXPECT_EQ(merges.find(1, 0), 2u);
  EXPECT_EQ(merges.result(2), 7);
  EXPECT_EQ(merges.find(1, 1), MergeTable::kNoRank);
}

TEST(MergeTable, refuses_a_pair_that_is_there) {
  MergeTable merges(2);
  EXPECT_TRUE(merges.add(1, 2, 3));
  EXPECT_FALSE(merges.add(1, 2, 4));
  EXPECT_EQ(merges.result(merges.find(1, 2)), 3);
}

TEST(MergeTable, agrees_with_a_map) {
  std::mt19937 random(11);
  constexpr std::size_t kNumMerges = 5000;
  MergeTable merges(kNumMerges);
  std::map<std::pair<TokenId, TokenId>, MergeTable::Rank> expected;
  const auto random_id = [&] {
    return static_cast<TokenId>(random() % 200 * (random() % 2 == 0 ? 1 : 1000003));
  };
  for (std::size_t count = 0; count < kNumMerges; ++count) {
    const TokenId left = random_id();
    const TokenId right = random_id();
    const auto rank = static_cast<MergeTable::Rank>(expected.size());
    ASSERT_EQ(merges.add(left, right, static_cast<TokenId>(rank)),
              expected.try_emplace({left, right}, rank).second);
  }
  for (int count = 0; count < 20000; ++count) {
    const std::pair<TokenId, TokenId> pair = {random_id(), random_id()};
    const auto found = expected.find(pair);
    ASSERT_EQ(merges.find(pair.first, pair.second),
              found == expected.end() ? MergeTable::kNoRank : found->second);
  }
}

}  // namespace
}  // namespace parley::inference::tokenizer
