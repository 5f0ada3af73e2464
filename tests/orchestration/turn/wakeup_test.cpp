#include "orchestration/turn/wakeup.h"

#include <gtest/gtest.h>

#include <chrono>
#include <memory>

#include <boost/asio/bind_cancellation_slot.hpp>
#include <boost/asio/cancellation_signal.hpp>
#include <boost/asio/post.hpp>

#include "tests/orchestration/turn/io_driver.h"

namespace parley::orchestration::turn {
namespace {

class WakeupTest : public testing::Test {
 protected:
  void await(boost::asio::awaitable<void> wait) {
    boost::asio::co_spawn(io_.io(), std::move(wait), [this](std::exception_ptr) { ++num_woken_; });
    io_.run_for(std::chrono::milliseconds(1));
  }

  IoDriver io_;
  std::unique_ptr<Wakeup> wakeup_ = std::make_unique<Wakeup>(io_.executor());
  int num_woken_ = 0;
};

TEST_F(WakeupTest, WakesAllThatWaitNowAndNobodyLater) {
  wakeup_->notify();  // not remembered
  await(wakeup_->wait());
  await(wakeup_->wait());
  io_.run_for(std::chrono::milliseconds(2));
  EXPECT_EQ(num_woken_, 0);
  wakeup_->notify();
  io_.run_until([&] { return num_woken_ == 2; });
  await(wakeup_->wait());
  io_.run_for(std::chrono::milliseconds(2));
  EXPECT_EQ(num_woken_, 2);
  wakeup_->notify();
  io_.run_until([&] { return num_woken_ == 3; });
}

TEST_F(WakeupTest, AWaitEndsAtItsDeadline) {
  const auto begin = std::chrono::steady_clock::now();
  await(wakeup_->wait_until(begin + std::chrono::milliseconds(20)));
  EXPECT_EQ(num_woken_, 0);
  io_.run_until([&] { return num_woken_ == 1; });
  EXPECT_GE(std::chrono::steady_clock::now() - begin, std::chrono::milliseconds(20));
  await(wakeup_->wait_until(std::chrono::steady_clock::now() + std::chrono::hours(1)));
  wakeup_->notify();
  io_.run_until([&] { return num_woken_ == 2; });
}

TEST_F(WakeupTest, AWaitMayOutliveIt) {
  await(wakeup_->wait());
  wakeup_->notify();
  wakeup_.reset();
  io_.run_until([&] { return num_woken_ == 1; });
}

TEST_F(WakeupTest, AWaitThatIsCancelledEnds) {
  boost::asio::cancellation_signal signal;
  boost::asio::co_spawn(
      io_.io(), wakeup_->wait(),
      boost::asio::bind_cancellation_slot(signal.slot(), [this](std::exception_ptr) { ++num_woken_; }));
  io_.io().poll();
  EXPECT_EQ(num_woken_, 0);
  boost::asio::post(io_.io(), [&] { signal.emit(boost::asio::cancellation_type::all); });
  io_.run_until([&] { return num_woken_ == 1; });
}

}  // namespace
}  // namespace parley::orchestration::turn
