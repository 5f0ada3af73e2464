#include "orchestration/turn/progress_relay.h"

#include <gtest/gtest.h>

#include <string>
#include <thread>
#include <vector>

#include "tests/orchestration/turn/io_driver.h"

namespace parley::orchestration::turn {
namespace {

using std::chrono::milliseconds;

struct ProgressRelayTest : testing::Test {
  std::shared_ptr<ProgressRelay> make(milliseconds interval) {
    return std::make_shared<ProgressRelay>(
        io.executor(), interval, [this](const tools::ToolProgress& told) { seen.push_back(told.message); });
  }
  static void push(ProgressRelay& relay, const std::string& message) {
    tools::ToolProgress progress;
    progress.message = message;
    relay.push(std::move(progress));
  }
  IoDriver io;
  std::vector<std::string> seen;
};

TEST_F(ProgressRelayTest, AFloodIsOneHandlerAndTheNewestIsTold) {
  const auto relay = make(milliseconds(0));
  for (int i = 0; i < 10'000; ++i) push(*relay, std::to_string(i));
  EXPECT_EQ(io.io().poll(), 1u);
  EXPECT_EQ(seen, std::vector<std::string>{"9999"});
  push(*relay, "more");
  io.io().restart();
  EXPECT_EQ(io.io().poll(), 1u);
  EXPECT_EQ(seen.back(), "more");
}

TEST_F(ProgressRelayTest, TheLastOfAnIntervalIsToldAtItsEnd) {
  const auto relay = make(milliseconds(30));
  push(*relay, "first");
  io.run_until([&] { return seen.size() == 1; });
  const auto begin = std::chrono::steady_clock::now();
  push(*relay, "second");
  push(*relay, "last");
  io.run_until([&] { return seen.size() == 2; });
  EXPECT_EQ(seen[1], "last");
  EXPECT_GE(std::chrono::steady_clock::now() - begin, milliseconds(20));
}

TEST_F(ProgressRelayTest, NothingIsToldAfterItsEndWhichHasTheRest) {
  const auto relay = make(milliseconds(1'000));
  push(*relay, "first");
  io.run_until([&] { return !seen.empty(); });
  EXPECT_FALSE(make(milliseconds(0))->close());
  push(*relay, "second");
  io.run_for(milliseconds(5));  // the timer runs
  push(*relay, "last");
  const auto rest = relay->close();
  ASSERT_TRUE(rest);
  EXPECT_EQ(rest->message, "last");
  push(*relay, "after");
  io.run_for(milliseconds(20));
  EXPECT_EQ(seen, std::vector<std::string>{"first"});
}

TEST_F(ProgressRelayTest, ManyThreadsPushAndTheLastOneIsTold) {
  const auto relay = make(milliseconds(1));
  {
    std::vector<std::jthread> threads;
    for (int t = 0; t < 4; ++t) {
      threads.emplace_back([&relay] {
        for (int i = 0; i < 2'000; ++i) push(*relay, "some");
      });
    }
    io.run_for(milliseconds(5));
  }
  push(*relay, "last");
  io.run_until([&] { return !seen.empty() && seen.back() == "last"; });
  EXPECT_LT(seen.size(), 8'000u);
}

}  // namespace
}  // namespace parley::orchestration::turn
