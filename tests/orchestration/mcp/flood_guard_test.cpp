#include "orchestration/mcp/flood_guard.h"

#include <gtest/gtest.h>

namespace parley::orchestration::mcp {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;

const FloodGuard::Time kStart = FloodGuard::Time() + seconds(1000);

TEST(FloodGuard, admits_a_burst_and_no_more) {
  FloodGuard guard;
  for (int i = 0; i < static_cast<int>(FloodGuard::kBurst); ++i) ASSERT_TRUE(guard.admit(0, kStart)) << i;
  EXPECT_FALSE(guard.admit(0, kStart));
}

TEST(FloodGuard, admits_a_steady_rate_for_ever) {
  FloodGuard guard;
  auto now = kStart;
  for (int i = 0; i < 100000; ++i, now += milliseconds(2)) ASSERT_TRUE(guard.admit(0, now)) << i;
}

TEST(FloodGuard, recovers_with_time_up_to_the_burst) {
  FloodGuard guard;
  while (guard.admit(0, kStart)) {
  }
  EXPECT_TRUE(guard.admit(0, kStart + seconds(1)));
  for (int i = 0; i < static_cast<int>(FloodGuard::kBurst); ++i) guard.admit(0, kStart + seconds(3600));
  EXPECT_FALSE(guard.admit(0, kStart + seconds(3600)));
}

TEST(FloodGuard, long_messages_count_more) {
  FloodGuard guard;
  EXPECT_TRUE(guard.admit(std::size_t{10} << 20, kStart));
  EXPECT_FALSE(guard.admit(std::size_t{10} << 20, kStart));
}

TEST(FloodGuard, a_clock_that_stands_still_is_no_harm) {
  FloodGuard guard;
  EXPECT_TRUE(guard.admit(0, kStart));
  EXPECT_TRUE(guard.admit(0, kStart - seconds(5)));
}

}  // namespace
}  // namespace parley::orchestration::mcp
