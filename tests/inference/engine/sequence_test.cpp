#include "inference/engine/sequence.h"

#include <gtest/gtest.h>

#include "tests/inference/engine/sequence_maker.h"

namespace parley::inference::engine {
namespace {

TEST(Sequence, KeysFollowTheTokensAsTheyGrow) {
  const auto whole = make_sequence(1, toy_request(toy_tokens(50, 1), 1));
  const auto grown = make_sequence(2, toy_request(toy_tokens(10, 1), 1));
  for (const std::int32_t id : std::span(whole->tokens).subspan(10)) grown->append(id);
  EXPECT_EQ(grown->tokens, whole->tokens);
  ASSERT_EQ(whole->keys.size(), 3u);
  EXPECT_EQ(grown->keys, whole->keys);
  EXPECT_EQ(grown->num_generated(), 40);
}

TEST(Sequence, LeavesAtLeastOneTokenOutOfAHit) {
  EXPECT_EQ(make_sequence(1, 1)->hit_chain().keys.size(), 0u);
  EXPECT_EQ(make_sequence(1, 16)->hit_chain().keys.size(), 0u);
  EXPECT_EQ(make_sequence(1, 17)->hit_chain().keys.size(), 1u);
  EXPECT_EQ(make_sequence(1, 48)->hit_chain().keys.size(), 2u);
}

TEST(Sequence, TreatsStopIdsAsASet) {
  Request request = toy_request({1}, 1);
  request.stop_ids = {9, 3, 9, 70};
  const auto sequence = make_sequence(1, std::move(request));
  for (const std::int32_t id : {3, 9, 70}) EXPECT_TRUE(sequence->stops_at(id));
  for (const std::int32_t id : {0, 4, 71}) EXPECT_FALSE(sequence->stops_at(id));
}

TEST(Sequence, CountsTokensOnlyForAPenalty) {
  const auto plain = make_sequence(1, 20);
  plain->begin(Clock::now());
  plain->append(5);
  EXPECT_TRUE(plain->counts.view().empty());
}

}  // namespace
}  // namespace parley::inference::engine
