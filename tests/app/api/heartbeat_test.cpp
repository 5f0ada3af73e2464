#include "app/api/heartbeat.h"

#include <gtest/gtest.h>

namespace parley::app::api {
namespace {

using std::chrono::seconds;

class HeartbeatTest : public testing::Test {
 protected:
  bool healthy_at(int second, int running, std::uint64_t steps) {
    inference::engine::EngineStats stats;
    stats.running = running;
    stats.steps = steps;
    heartbeat_.observe(stats, begin_ + seconds(second));
    return !heartbeat_.failure();
  }

  Heartbeat heartbeat_{seconds(10)};
  Heartbeat::Clock::time_point begin_ = Heartbeat::Clock::now();
};

TEST_F(HeartbeatTest, LetsAnIdleEngineRest) {
  EXPECT_TRUE(healthy_at(0, 0, 5));
  EXPECT_TRUE(healthy_at(1000, 0, 5));
  EXPECT_TRUE(healthy_at(1001, 1, 5));  // work has just come
}

TEST_F(HeartbeatTest, NoticesThatStepsStop) {
  EXPECT_TRUE(healthy_at(0, 1, 5));
  EXPECT_TRUE(healthy_at(9, 1, 6));
  EXPECT_TRUE(healthy_at(18, 1, 6));
  EXPECT_FALSE(healthy_at(20, 1, 6));
  EXPECT_TRUE(healthy_at(21, 1, 7));  // it was only slow
}

TEST_F(HeartbeatTest, NoticesADeadEngine) {
  inference::engine::EngineStats stats;
  stats.alive = false;
  heartbeat_.observe(stats, begin_);
  EXPECT_TRUE(heartbeat_.failure());
}

TEST_F(HeartbeatTest, SaysNothingWithoutAnEngine) {
  heartbeat_.observe(std::nullopt, begin_);
  EXPECT_FALSE(heartbeat_.failure());
}

}  // namespace
}  // namespace parley::app::api
