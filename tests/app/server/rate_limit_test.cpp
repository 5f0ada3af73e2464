#include "app/server/rate_limit.h"

#include <gtest/gtest.h>

namespace parley::app::server {
namespace {

using std::chrono::milliseconds;

TEST(RateLimitTest, AllowsABurstAndThenTheRate) {
  const auto begin = RateLimit::Clock::now();
  RateLimit limit(10, begin);
  for (int i = 0; i < 10; ++i) EXPECT_TRUE(limit.take(begin)) << i;
  EXPECT_FALSE(limit.take(begin));
  EXPECT_FALSE(limit.take(begin + milliseconds(90)));
  EXPECT_TRUE(limit.take(begin + milliseconds(110)));
  EXPECT_FALSE(limit.take(begin + milliseconds(120)));
}

TEST(RateLimitTest, SavesUpNoMoreThanASecond) {
  const auto begin = RateLimit::Clock::now();
  RateLimit limit(10, begin);
  int taken = 0;
  while (limit.take(begin + std::chrono::hours(1))) ++taken;
  EXPECT_EQ(taken, 10);
}

}  // namespace
}  // namespace parley::app::server
