#include "inference/engine/token_counts.h"

#include <gtest/gtest.h>

#include <map>
#include <random>

namespace parley::inference::engine {
namespace {

std::map<std::int32_t, std::int32_t> as_map(const TokenCounts& counts) {
  std::map<std::int32_t, std::int32_t> map;
  for (const auto& [id, count] : counts.view()) EXPECT_TRUE(map.emplace(id, count).second) << "id twice";
  return map;
}

TEST(TokenCounts, IsEmptyWithoutTokens) {
  EXPECT_TRUE(TokenCounts().view().empty());
  EXPECT_TRUE(TokenCounts(std::vector<std::int32_t>{}).view().empty());
}

TEST(TokenCounts, CountsPromptAndAnswer) {
  std::mt19937_64 random(2);
  std::vector<std::int32_t> prompt(200);
  for (auto& id : prompt) id = static_cast<std::int32_t>(random() % 50);
  TokenCounts counts(prompt);
  std::map<std::int32_t, std::int32_t> expected;
  for (const std::int32_t id : prompt) ++expected[id];
  EXPECT_EQ(as_map(counts), expected);
  for (int i = 0; i < 200; ++i) {
    const auto id = static_cast<std::int32_t>(random() % 80);
    counts.add(id);
    ++expected[id];
    ASSERT_EQ(as_map(counts), expected);
  }
}

}  // namespace
}  // namespace parley::inference::engine
