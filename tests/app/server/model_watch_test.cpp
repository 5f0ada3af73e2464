#include "app/server/model_watch.h"

#include <gtest/gtest.h>

#include <exception>
#include <functional>
#include <vector>

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/detached.hpp>
#include <boost/asio/io_context.hpp>

namespace parley::app::server {
namespace {

namespace asio = boost::asio;
using orchestration::turn::ModelSlot;

class ModelWatchTest : public testing::Test {
 protected:
  // Does the steps before one look each, then stops; returns the version that each look began with.
  std::vector<std::uint64_t> versions_over(std::vector<std::function<void()>> steps) {
    std::vector<std::uint64_t> versions;
    auto each_time = [&] {
      versions.push_back(watch_.version());
      if (versions.size() > steps.size()) return watch_.stop();
      steps[versions.size() - 1]();
    };
    auto ended = [this](const std::exception_ptr&) { io_.stop(); };  // others may wait for ever
    asio::co_spawn(io_, watch_.run(each_time), ended);
    io_.run();
    return versions;
  }
  asio::awaitable<void> count_changes(int& count) {
    while (true) {
      co_await watch_.changed();
      ++count;
    }
  }

  asio::io_context io_;
  std::shared_ptr<ModelSlot> slot_ = orchestration::turn::make_model_slot({});
  ModelWatch watch_{io_.get_executor(), *slot_};
};

TEST_F(ModelWatchTest, NoticesProgressAndFailureOnce) {
  const auto versions = versions_over(
      {[&] { slot_->set_progress(0.5); }, [] {}, [&] { slot_->set_failed("The file is damaged."); }});
  EXPECT_EQ(versions, (std::vector<std::uint64_t>{0, 1, 1, 2}));
  EXPECT_EQ(watch_.view().state, ModelSlot::State::failed);
  EXPECT_EQ(watch_.view().error, "The file is damaged.");
}

TEST_F(ModelWatchTest, WakesWhoWaits) {
  int num_changes = 0;
  asio::co_spawn(io_, count_changes(num_changes), asio::detached);
  versions_over({[] {}, [&] { slot_->set_progress(0.1); }, [&] { slot_->set_progress(0.2); }});
  EXPECT_EQ(num_changes, 2);
}

TEST_F(ModelWatchTest, TellsNoErrorWhileThereIsNone) {
  slot_->set_progress(0.25);
  EXPECT_EQ(view_of(*slot_).state, ModelSlot::State::loading);
  EXPECT_EQ(view_of(*slot_).progress, 0.25);
  EXPECT_EQ(view_of(*slot_).error, "");
}

}  // namespace
}  // namespace parley::app::server
