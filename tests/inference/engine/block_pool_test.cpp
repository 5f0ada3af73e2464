#include "inference/engine/block_pool.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <random>
#include <utility>

#include "tests/inference/engine/pool_writer.h"

namespace parley::inference::engine {
namespace {

TEST(BlockPool, HandsOutEveryBlockOnceAndThenSaysNo) {
  BlockPool pool(3);
  std::vector<BlockId> table = {pool.allocate(), pool.allocate(), pool.allocate()};
  std::sort(table.begin(), table.end());
  EXPECT_EQ(table, (std::vector<BlockId>{0, 1, 2}));
  EXPECT_EQ(pool.allocate(), kNoBlock);
  EXPECT_EQ(pool.available(), 0);
  pool.release(table, Retention::keep);
  EXPECT_EQ(pool.num_free(), 3) << "blocks that were never published are not kept";
}

TEST(BlockPool, FindsThePublishedPrefixOfAPrompt) {
  BlockPool pool(8);
  PoolWriter writer(pool);
  const std::vector<int> prompt = {1, 2, 3};
  const auto table = writer.write(prompt, 0);
  EXPECT_EQ(writer.match({1, 2, 3, 4}, 0), table);
  EXPECT_EQ(writer.match({1, 2}, 0), (std::vector<BlockId>{table[0], table[1]}));
  EXPECT_EQ(writer.match({1, 3}, 0), (std::vector<BlockId>{table[0]}));
  EXPECT_TRUE(writer.match({2, 3}, 0).empty());
  EXPECT_TRUE(writer.match(prompt, 1).empty()) << "another salt";
}

TEST(BlockPool, KeepsOneOfTwoEqualBlocks) {
  BlockPool pool(8);
  PoolWriter writer(pool);
  const auto first = writer.write({1, 2}, 0);
  const BlockId twin = pool.allocate();
  const BlockId kept = writer.publish(twin, {1}, 0, kNoBlock);
  EXPECT_EQ(kept, first[0]);
  EXPECT_EQ(pool.num_free(), 6) << "the second copy is free again";
  const std::vector<std::vector<BlockId>> tables = {first, {kept}};
  EXPECT_EQ(pool.find_inconsistency(tables), "");
}

TEST(BlockPool, EvictsTheLeafUsedLongestAgo) {
  BlockPool pool(5);
  PoolWriter writer(pool);
  const auto old_chain = writer.write({1, 2}, 0);
  const auto new_chain = writer.write({3, 4, 5}, 0);
  pool.release(old_chain, Retention::keep);
  pool.release(new_chain, Retention::keep);
  EXPECT_EQ(pool.num_cached(), 5);
  std::vector<BlockId> evicted(5);
  for (BlockId& block : evicted) block = pool.allocate();
  EXPECT_EQ(evicted,
            (std::vector<BlockId>{old_chain[1], old_chain[0], new_chain[2], new_chain[1], new_chain[0]}));
}

TEST(BlockPool, EvictsAParentByItsOwnLastUse) {
  BlockPool pool(4);
  PoolWriter writer(pool);
  const auto chain = writer.write({1, 2}, 0);
  const auto other = writer.write({3}, 0);
  pool.release(chain, Retention::keep);
  pool.release(other, Retention::keep);
  pool.acquire(std::span(chain).first(1));
  pool.release(std::span(chain).first(1), Retention::keep);
  const BlockId spare = pool.allocate();
  EXPECT_EQ(pool.allocate(), chain[1]);
  EXPECT_EQ(pool.allocate(), other[0]) << "the parent was used after it";
  EXPECT_EQ(pool.allocate(), chain[0]);
  EXPECT_NE(spare, kNoBlock);
}

TEST(BlockPool, NeverEvictsWhatIsReferenced) {
  BlockPool pool(3);
  PoolWriter writer(pool);
  const auto chain = writer.write({1, 2, 3}, 0);
  pool.release(std::span(chain).last(1), Retention::keep);
  EXPECT_EQ(pool.available(), 1);
  EXPECT_EQ(pool.allocate(), chain[2]);
  EXPECT_EQ(pool.allocate(), kNoBlock);
}

TEST(BlockPool, ForgetsWhatIsDiscardedUnlessOthersUseIt) {
  BlockPool pool(4);
  PoolWriter writer(pool);
  const auto table = writer.write({1, 2, 3}, 0);
  pool.acquire(std::span(table).first(2));
  pool.release(table, Retention::discard);
  EXPECT_EQ(writer.match({1, 2, 3}, 0), (std::vector<BlockId>{table[0], table[1]}));
  EXPECT_EQ(pool.num_referenced(), 2);
  pool.release(std::span(table).first(2), Retention::discard);
  EXPECT_EQ(pool.num_free(), 4);
}

TEST(BlockPool, DropsItsCacheToTheInitialState) {
  BlockPool pool(6);
  PoolWriter writer(pool);
  const auto held = writer.write({1, 2}, 0);
  pool.release(writer.write({1, 3}, 0), Retention::keep);
  pool.release(writer.write({4, 5}, 1), Retention::keep);
  pool.drop_cache();
  EXPECT_EQ(pool.num_cached(), 0);
  EXPECT_EQ(pool.num_free(), 4);
  pool.release(held, Retention::keep);
  pool.drop_cache();
  EXPECT_EQ(pool.num_free(), 6);
}

TEST(BlockPool, FindsOutWhenItsBooksAreWrong) {
  BlockPool pool(4);
  PoolWriter writer(pool);
  const std::vector<std::vector<BlockId>> tables = {writer.write({1, 2}, 0)};
  EXPECT_EQ(pool.find_inconsistency(tables), "");
  EXPECT_NE(pool.find_inconsistency({}), "") << "somebody holds blocks and is not known";
  pool.release(std::span(tables[0]).first(1), Retention::keep);
  const std::vector<std::vector<BlockId>> rest = {{tables[0][1]}};
  EXPECT_NE(pool.find_inconsistency(rest).find("parent is not referenced"), std::string::npos);
}

// Random tables over few symbols; the oracle knows every published prefix and its last use.
class PoolOracle {
 public:
  using Prefix = std::pair<std::uint64_t, std::vector<int>>;  // salt, blocks

  // The longest published prefix, by trying all.
  std::size_t longest_hit(const std::vector<int>& prompt, std::uint64_t salt) const {
    std::size_t longest = 0;
    for (const auto& [prefix, block] : published_) {
      const auto& [other_salt, blocks] = prefix;
      if (other_salt != salt || blocks.size() > prompt.size()) continue;
      if (std::equal(blocks.begin(), blocks.end(), prompt.begin()))
        longest = std::max(longest, blocks.size());
    }
    return longest;
  }
  void add(const std::vector<int>& prompt, std::uint64_t salt, const std::vector<BlockId>& table) {
    for (std::size_t n = 1; n <= prompt.size(); ++n) {
      published_[{salt, std::vector<int>(prompt.begin(), prompt.begin() + static_cast<std::ptrdiff_t>(n))}] =
          table[n - 1];
    }
  }
  void evicted(BlockId block) {
    std::erase_if(published_, [block](const auto& entry) { return entry.second == block; });
  }

 private:
  std::map<Prefix, BlockId> published_;
};

TEST(BlockPool, HitsTheLongestPrefixThereIs) {
  constexpr std::uint64_t kSeed = 3;
  SCOPED_TRACE(kSeed);
  std::mt19937_64 random(kSeed);
  BlockPool pool(20);
  PoolWriter writer(pool);
  PoolOracle oracle;
  std::vector<std::vector<BlockId>> held;
  std::uint64_t num_hits = 0;
  for (int round = 0; round < 20000; ++round) {
    std::vector<int> prompt(1 + random() % 6);
    for (int& symbol : prompt) symbol = static_cast<int>(random() % 2);
    const std::uint64_t salt = random() % 4 == 0 ? 1 : 0;
    const auto hit = writer.match(prompt, salt);
    ASSERT_EQ(hit.size(), oracle.longest_hit(prompt, salt)) << round;
    ASSERT_EQ(writer.estimate(prompt, salt), static_cast<int>(hit.size()));
    num_hits += hit.size();
    writer.when_allocated = [&](BlockId block) { oracle.evicted(block); };
    if (static_cast<std::size_t>(pool.available()) >= prompt.size()) {
      held.push_back(writer.write(prompt, salt));
      oracle.add(prompt, salt, held.back());
    }
    while (held.size() > 2 || (!held.empty() && random() % 2 == 0)) {
      const auto index = static_cast<std::ptrdiff_t>(random() % held.size());
      pool.release(held[static_cast<std::size_t>(index)], Retention::keep);
      held.erase(held.begin() + index);
    }
    ASSERT_EQ(pool.find_inconsistency(held), "") << round;
    ASSERT_EQ(pool.num_free() + pool.num_cached() + pool.num_referenced(), pool.num_blocks());
  }
  EXPECT_GT(num_hits, 10000u);
}

}  // namespace
}  // namespace parley::inference::engine
