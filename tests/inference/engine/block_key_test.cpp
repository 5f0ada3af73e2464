#include "inference/engine/block_key.h"

#include <gtest/gtest.h>

#include <array>
#include <numeric>
#include <set>

namespace parley::inference::engine {
namespace {

using Tokens = std::array<std::int32_t, backend::kBlockTokens>;

Tokens counting() {
  Tokens tokens;
  std::iota(tokens.begin(), tokens.end(), 1);
  return tokens;
}

TEST(BlockKey, DependsOnEveryTokenAndItsPlace) {
  const BlockKey root = root_key(1, 2);
  const Tokens tokens = counting();
  const BlockKey key = chain_key(root, tokens);
  for (std::size_t i = 0; i < tokens.size(); ++i) {
    for (const int bit : {0, 1, 7, 16, 30}) {
      Tokens other = tokens;
      other[i] ^= 1 << bit;
      EXPECT_NE(chain_key(root, other), key) << i << " " << bit;
    }
    for (std::size_t j = 0; j < i; ++j) {
      Tokens other = tokens;
      std::swap(other[i], other[j]);
      EXPECT_NE(chain_key(root, other), key) << i << " " << j;
    }
  }
}

TEST(BlockKey, DependsOnWhatCameBefore) {
  const Tokens tokens = counting();
  const BlockKey first = chain_key(root_key(1, 2), tokens);
  const BlockKey second = chain_key(first, tokens);
  EXPECT_NE(first, second);
  EXPECT_NE(chain_key(root_key(1, 3), tokens), first) << "salt";
  EXPECT_NE(chain_key(root_key(2, 2), tokens), first) << "cache root";
  EXPECT_NE(chain_key(chain_key(root_key(1, 3), tokens), tokens), second) << "salt, two blocks back";
}

TEST(BlockKey, CollidesForNoneOfManySimilarBlocks) {
  std::set<std::pair<std::uint64_t, std::uint64_t>> seen;
  std::set<std::uint64_t> low_halves;
  int num_keys = 0;
  for (std::int32_t a = 0; a < 64; ++a) {
    for (std::int32_t b = 0; b < 64; ++b) {
      for (const std::size_t place : {0u, 1u, 7u, 14u}) {
        Tokens tokens{};
        tokens[place] = a + 1;
        tokens[place + 1] = 100 + b;
        const BlockKey key = chain_key(root_key(0, 0), tokens);
        seen.insert({key.low, key.high});
        low_halves.insert(key.low);
        ++num_keys;
      }
    }
  }
  EXPECT_EQ(seen.size(), static_cast<std::size_t>(num_keys));
  EXPECT_EQ(low_halves.size(), static_cast<std::size_t>(num_keys));
}

// Stored keys must mean the same tomorrow: whoever changes the function changes its version and these
// numbers.
TEST(BlockKey, IsStable) {
  const BlockKey root = root_key(0x1234, 0);
  const BlockKey key = chain_key(root, counting());
  EXPECT_EQ(root.low, 561723582276253487u);
  EXPECT_EQ(root.high, 18227502555513574423u);
  EXPECT_EQ(key.low, 6055546405721286347u);
  EXPECT_EQ(key.high, 12015775634329682322u);
}

}  // namespace
}  // namespace parley::inference::engine
