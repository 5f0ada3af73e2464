#include "app/cli/model_loading.h"

#include <gtest/gtest.h>

#include <chrono>
#include <filesystem>
#include <fstream>

#include <boost/asio/executor_work_guard.hpp>
#include <boost/asio/io_context.hpp>

#include "tests/app/cli/tiny_model_file.h"

namespace parley::app::cli {
namespace {

using orchestration::turn::ModelSlot;

class ModelLoadingTest : public testing::Test {
 protected:
  ~ModelLoadingTest() override {
    loading_.reset();
    workers_.join();
  }
  void start(models::OpenedModel model) {
    models::LoadOptions options;
    options.threads = 1;
    options.kv_memory = std::size_t{1} << 20;
    slot_ = orchestration::turn::make_model_slot(model_info(model, 0));
    loading_ = start_model_loading(std::move(model), options, {slot_, io_.get_executor(), workers_, [this] {
                                                                 states_when_ready_.push_back(slot_->state());
                                                               }});
  }
  void run_until_loaded() {
    const auto work = boost::asio::make_work_guard(io_);
    const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(60);
    while (slot_->state() == ModelSlot::State::loading && std::chrono::steady_clock::now() < end) {
      io_.run_one_for(std::chrono::milliseconds(100));
    }
  }
  models::OpenedModel open() { return models::open_model({.name = "tiny", .file = file_.path()}); }

  TinyModelFile file_;
  boost::asio::io_context io_;
  boost::asio::thread_pool workers_{1};
  std::shared_ptr<ModelSlot> slot_;
  std::vector<ModelSlot::State> states_when_ready_;
  std::unique_ptr<ModelLoading> loading_;
};

TEST_F(ModelLoadingTest, MakesTheSlotReady) {
  start(open());
  EXPECT_EQ(slot_->state(), ModelSlot::State::loading);
  EXPECT_EQ(loading_->engine_stats(), std::nullopt);
  run_until_loaded();
  ASSERT_EQ(slot_->state(), ModelSlot::State::ready);
  EXPECT_EQ(slot_->info().name, "tiny");
  EXPECT_EQ(slot_->info().max_context, 256);
  EXPECT_EQ(slot_->info().file_bytes, static_cast<std::int64_t>(std::filesystem::file_size(file_.path())));
  EXPECT_EQ(states_when_ready_, std::vector{ModelSlot::State::ready}) << "told once, when it can be asked";
  ASSERT_TRUE(loading_->engine_stats());
  EXPECT_TRUE(loading_->engine_stats()->alive);
}

TEST_F(ModelLoadingTest, TellsTheSlotWhyItFailed) {
  models::OpenedModel model = open();
  std::ofstream(file_.path(), std::ios::app | std::ios::binary) << "more";
  start(std::move(model));
  run_until_loaded();
  ASSERT_EQ(slot_->state(), ModelSlot::State::failed);
  EXPECT_NE(slot_->failure().find("written to while it was being loaded"), std::string::npos)
      << slot_->failure();
  EXPECT_EQ(loading_->engine_stats(), std::nullopt);
}

TEST_F(ModelLoadingTest, AbandonedItTouchesTheSlotNoMore) {
  start(open());
  loading_.reset();
  io_.run_for(std::chrono::milliseconds(50));
  EXPECT_EQ(slot_->state(), ModelSlot::State::loading);
}

}  // namespace
}  // namespace parley::app::cli
