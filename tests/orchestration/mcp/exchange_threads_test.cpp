#include "orchestration/mcp/exchange_threads.h"

#include <gtest/gtest.h>

#include <stdexcept>

#include "tests/fakes/eventually.h"

namespace parley::orchestration::mcp {
namespace {

using tests::fakes::eventually;

void ignore(const std::string&) {}

void wait_for_stop(const std::stop_token& stop) {
  while (!stop.stop_requested()) std::this_thread::sleep_for(std::chrono::milliseconds(1));
}

TEST(ExchangeThreads, what_work_throws_is_told_and_frees_its_place) {
  std::atomic<int> told{0};
  ExchangeThreads threads;
  for (std::size_t i = 0; i < 2 * ExchangeThreads::kMax; ++i) {
    const auto failed = [&told](const std::string& why) {
      told += why == "Parley could not do it: no memory";
    };
    const auto work = [](const std::stop_token&) { throw std::runtime_error("no memory"); };
    ASSERT_TRUE(eventually([&] { return threads.run(0, work, failed).empty(); })) << i;
  }
  threads.stop_all();
  EXPECT_EQ(told, static_cast<int>(2 * ExchangeThreads::kMax));
}

TEST(ExchangeThreads, says_why_nothing_more_is_begun) {
  ExchangeThreads threads;
  for (std::size_t i = 0; i < ExchangeThreads::kMax; ++i)
    EXPECT_EQ(threads.run(1, wait_for_stop, ignore), "");
  EXPECT_EQ(threads.run(2, wait_for_stop, ignore), "too many requests are waiting for it");
  threads.stop_all();
  EXPECT_EQ(threads.run(3, wait_for_stop, ignore), "the connection is closed");
}

}  // namespace
}  // namespace parley::orchestration::mcp
