#include "orchestration/tools/background_reading.h"

#include <gtest/gtest.h>

#include <atomic>
#include <stdexcept>

#include "tests/fakes/eventually.h"
#include "tests/orchestration/tools/fake_tool.h"

namespace parley::orchestration::tools {
namespace {

using std::chrono::milliseconds;
using tests::fakes::eventually;

struct BackgroundReadingTest : testing::Test {
  BackgroundReading::Parts parts(std::function<ReadTools(const std::stop_token&)> read) {
    return {.place = "openapi:desk", .read = std::move(read), .pause = milliseconds(5), .on_change = [this] {
              ++changes;
            }};
  }

  std::atomic<int> changes{0};
  std::atomic<int> reads{0};
};

TEST_F(BackgroundReadingTest, KeepsWhatWasThereUntilItIsDone) {
  std::atomic<bool> may_end{false};
  const auto read = [&](const std::stop_token&) {
    while (!may_end) std::this_thread::sleep_for(milliseconds(1));
    return ReadTools{.tools = {fake_tool("new")}, .issues = {}};
  };
  const BackgroundReading reading(parts(read), {.tools = {fake_tool("old")}, .issues = {}});
  EXPECT_TRUE(reading.is_first());
  EXPECT_EQ(reading.found().tools.at(0)->spec().name, "old");
  may_end = true;
  ASSERT_TRUE(eventually([&] { return changes == 1; }));
  EXPECT_FALSE(reading.is_first());
  EXPECT_EQ(reading.found().tools.at(0)->spec().name, "new");
}

TEST_F(BackgroundReadingTest, TriesAgainAsLongAsItFailsOrThrows) {
  const auto read = [&](const std::stop_token&) -> ReadTools {
    const int count = ++reads;
    if (count == 1) throw std::runtime_error("no memory");
    return {.tools = {}, .issues = {}, .failed = count < 4};
  };
  {
    const BackgroundReading reading(parts(read));
    ASSERT_TRUE(eventually([&] { return reads == 4 && changes == 4; }));
    std::this_thread::sleep_for(milliseconds(50));
    EXPECT_EQ(reads, 4) << "what succeeded is not read again";
  }
  BackgroundReading::Parts failing =
      parts([&](const std::stop_token&) -> ReadTools { throw std::runtime_error("no memory"); });
  failing.pause = std::chrono::hours(1);
  changes = 0;
  const BackgroundReading reading(std::move(failing));
  ASSERT_TRUE(eventually([&] { return changes == 1; }));
  ASSERT_EQ(reading.found().issues.size(), 1u);
  EXPECT_EQ(reading.found().issues[0].place, "openapi:desk");
  EXPECT_EQ(reading.found().issues[0].message, "Parley could not read it: no memory");
}

TEST_F(BackgroundReadingTest, EndsWhileItReadsOrPauses) {
  const auto begin = std::chrono::steady_clock::now();
  {
    const BackgroundReading blocked(parts([](const std::stop_token& stop) {
      while (!stop.stop_requested()) std::this_thread::sleep_for(milliseconds(1));
      return ReadTools();
    }));
    BackgroundReading::Parts pausing =
        parts([](const std::stop_token&) { return ReadTools{.tools = {}, .issues = {}, .failed = true}; });
    pausing.pause = std::chrono::hours(1);
    const BackgroundReading paused(std::move(pausing));
    ASSERT_TRUE(eventually([&] { return changes == 1; }));
  }
  EXPECT_EQ(changes, 1) << "nothing is told of what was stopped";
  EXPECT_LT(std::chrono::steady_clock::now() - begin, std::chrono::seconds(20));
}

}  // namespace
}  // namespace parley::orchestration::tools
