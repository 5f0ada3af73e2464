#include "inference/json/nearest_name.h"

#include <gtest/gtest.h>

#include <array>

namespace parley::inference::json {
namespace {

constexpr std::array<std::string_view, 3> kKnown = {"context", "kv_memory", "kv_type"};

TEST(NearestName, FindsASlipOfTheFingers) {
  EXPECT_EQ(nearest_name("contxt", kKnown), "context");
  EXPECT_EQ(nearest_name("kv_memry", kKnown), "kv_memory");
  EXPECT_EQ(nearest_name("kv-type", kKnown), "kv_type");
}

TEST(NearestName, OffersNothingForAWordOfAnotherKind) {
  EXPECT_EQ(nearest_name("banana", kKnown), "");
  EXPECT_EQ(nearest_name("", kKnown), "");
  EXPECT_EQ(nearest_name(std::string(10'000, 'x'), kKnown), "");
}

TEST(NearestName, TakesTheFirstAmongEquals) {
  constexpr std::array<std::string_view, 2> kPair = {"abcd", "abce"};
  EXPECT_EQ(nearest_name("abcf", kPair), "abcd");
}

}  // namespace
}  // namespace parley::inference::json
