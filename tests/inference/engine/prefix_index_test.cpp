#include "inference/engine/prefix_index.h"

#include <gtest/gtest.h>

#include <array>
#include <optional>
#include <random>
#include <vector>

namespace parley::inference::engine {
namespace {

using Tokens = std::array<std::int32_t, backend::kBlockTokens>;

TEST(PrefixIndex, FindsWhatWasInserted) {
  PrefixIndex index(4);
  const Tokens tokens{1, 2, 3};
  const BlockPlace place{{10, 20}, kNoBlock, 0, tokens};
  EXPECT_EQ(index.find(place), kNoBlock);
  index.insert(2, place);
  EXPECT_EQ(index.find(place), 2);
  EXPECT_TRUE(index.contains(2));
  EXPECT_TRUE(index.has_key({10, 20}));
  EXPECT_FALSE(index.has_key({10, 21}));
  index.erase(2);
  EXPECT_EQ(index.find(place), kNoBlock);
  EXPECT_FALSE(index.contains(2));
}

// Isolation must not hang on the hash: here every key is the same.
TEST(PrefixIndex, TellsBlocksWithEqualKeysApart) {
  PrefixIndex index(8);
  const Tokens tokens{1, 2, 3};
  const Tokens other_tokens{1, 2, 4};
  const BlockKey key{7, 7};
  index.insert(0, {key, kNoBlock, 0, tokens});
  EXPECT_EQ(index.find({key, kNoBlock, 0, other_tokens}), kNoBlock);
  EXPECT_EQ(index.find({key, kNoBlock, 1, tokens}), kNoBlock);
  EXPECT_EQ(index.find({key, 0, 0, tokens}), kNoBlock);
  index.insert(1, {key, kNoBlock, 0, other_tokens});
  index.insert(2, {key, kNoBlock, 1, tokens});
  index.insert(3, {key, 0, 0, tokens});
  EXPECT_EQ(index.find({key, kNoBlock, 0, tokens}), 0);
  EXPECT_EQ(index.find({key, kNoBlock, 0, other_tokens}), 1);
  EXPECT_EQ(index.find({key, kNoBlock, 1, tokens}), 2);
  EXPECT_EQ(index.find({key, 0, 0, tokens}), 3);
}

TEST(PrefixIndex, CountsChildren) {
  PrefixIndex index(4);
  const Tokens tokens{};
  index.insert(0, {{1, 1}, kNoBlock, 0, tokens});
  index.insert(1, {{2, 1}, 0, 0, tokens});
  index.insert(2, {{3, 1}, 0, 0, tokens});
  EXPECT_EQ(index.num_children(0), 2);
  EXPECT_EQ(index.parent(2), 0);
  index.erase(1);
  EXPECT_EQ(index.num_children(0), 1);
}

// Few home slots, so that runs are long, wrap around the table and lose entries in their middle.
TEST(PrefixIndex, AgreesWithAListUnderRandomInsertsAndErasures) {
  constexpr int kBlocks = 24;
  struct Entry {
    BlockKey key;
    Tokens tokens;
  };
  std::mt19937_64 random(1);
  PrefixIndex index(kBlocks);
  std::vector<std::optional<Entry>> entries(kBlocks);
  for (int round = 0; round < 20000; ++round) {
    const auto block = static_cast<BlockId>(random() % kBlocks);
    auto& entry = entries[static_cast<std::size_t>(block)];
    if (entry) {
      index.erase(block);
      entry.reset();
    } else {
      entry = Entry{{60 + random() % 6, random() % 2}, {block}};
      index.insert(block, {entry->key, kNoBlock, 0, entry->tokens});
    }
    for (BlockId b = 0; b < kBlocks; ++b) {
      const auto& expected = entries[static_cast<std::size_t>(b)];
      ASSERT_EQ(index.contains(b), expected.has_value());
      if (!expected) continue;
      ASSERT_EQ(index.find({expected->key, kNoBlock, 0, expected->tokens}), b) << round;
    }
  }
}

}  // namespace
}  // namespace parley::inference::engine
