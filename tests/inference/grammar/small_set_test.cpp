#include "inference/grammar/small_set.h"

#include <gtest/gtest.h>

namespace parley::inference::grammar {
namespace {

TEST(SmallSet, takes_each_member_once_however_many_there_are) {
  SmallSet<int> set;
  for (int round = 0; round < 2; ++round) {
    for (int i = 0; i < 100; ++i) {
      EXPECT_FALSE(set.contains(i * 7)) << i;
      EXPECT_TRUE(set.insert(i * 7)) << i;
      EXPECT_FALSE(set.insert(i * 7)) << i;
      EXPECT_FALSE(set.insert(0)) << i;
      EXPECT_TRUE(set.contains(i * 7)) << i;
      EXPECT_FALSE(set.contains(i * 7 + 1)) << i;
    }
    set.clear();
  }
}

}  // namespace
}  // namespace parley::inference::grammar
