#include "inference/engine/block_list.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <utility>
#include <vector>

namespace parley::inference::engine {
namespace {

TEST(BlockList, KeepsTheOrderOfStamps) {
  BlockList list(5);
  EXPECT_TRUE(list.empty());
  EXPECT_EQ(list.front(), kNoBlock);
  list.insert_from_back(3, 20);
  list.insert_from_back(1, 10);
  list.insert_from_front(4, 15);
  std::vector<BlockId> order;
  for (; !list.empty(); list.remove(list.front())) order.push_back(list.front());
  EXPECT_EQ(order, (std::vector<BlockId>{1, 4, 3}));
}

TEST(BlockList, PutsEqualStampsOnTheAskedSide) {
  BlockList list(4);
  list.insert_from_back(0, 7);
  list.insert_from_back(1, 7);
  list.insert_from_front(2, 7);
  std::vector<BlockId> order;
  for (; !list.empty(); list.remove(list.front())) order.push_back(list.front());
  EXPECT_EQ(order, (std::vector<BlockId>{2, 0, 1}));
}

TEST(BlockList, AgreesWithASortedVector) {
  std::mt19937_64 random(5);
  BlockList list(12);
  std::vector<std::pair<std::uint64_t, BlockId>> entries;
  for (std::uint64_t round = 0; round < 10000; ++round) {
    const auto block = static_cast<BlockId>(random() % 12);
    const auto found =
        std::find_if(entries.begin(), entries.end(), [&](const auto& e) { return e.second == block; });
    ASSERT_EQ(list.contains(block), found != entries.end());
    if (found != entries.end()) {
      list.remove(block);
      entries.erase(found);
    } else {
      const std::uint64_t stamp = (random() % 1000) * 100000 + round;  // unequal stamps
      random() % 2 == 0 ? list.insert_from_back(block, stamp) : list.insert_from_front(block, stamp);
      entries.emplace_back(stamp, block);
    }
    const auto oldest = std::min_element(entries.begin(), entries.end());
    ASSERT_EQ(list.front(), oldest == entries.end() ? kNoBlock : oldest->second);
  }
}

}  // namespace
}  // namespace parley::inference::engine
