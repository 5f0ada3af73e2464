#include "inference/engine/side_work.h"

#include <gtest/gtest.h>

#include <atomic>
#include <thread>

#include "inference/engine/local_engine.h"
#include "tests/fakes/eventually.h"
#include "tests/fakes/recording_sink.h"
#include "tests/fakes/toy_model.h"
#include "tests/inference/engine/core_harness.h"

namespace parley::inference::engine {
namespace {

using fakes::RecordingSink;
using tests::fakes::eventually;

// Has as many slices of work as it was given.
class CountedWork final : public SideWork {
 public:
  void attach(std::function<void()> wake) override { wake_ = std::move(wake); }
  bool run(std::chrono::milliseconds slice) noexcept override {
    if (slice == kSliceBesideRequests) ++beside;
    if (left == 0) return false;
    thread = std::this_thread::get_id();
    ++done;
    return --left > 0;
  }
  void detach() override { detached = true; }
  void give(int slices) {
    left = slices;
    wake_();
  }

  std::atomic<int> left{0}, done{0}, beside{0};
  std::atomic<std::thread::id> thread{};
  std::atomic<bool> detached{false};

 private:
  std::function<void()> wake_;
};

class SideWorkTest : public testing::Test {
 protected:
  SideWorkTest() {
    EngineOptions options;
    options.num_blocks = 32;
    options.max_context = 400;
    options.vocab_size = 101;
    auto runner =
        std::make_unique<fakes::ToyRunner>(model_, options.num_blocks, options.scheduling.max_step_tokens);
    runner->before_step = [this](const backend::StepPlan&) { step_thread_ = std::this_thread::get_id(); };
    engine_ = make_local_engine(std::move(runner), options, work_);
  }

  const fakes::ToyModel model_{};
  std::shared_ptr<CountedWork> work_ = std::make_shared<CountedWork>();
  std::atomic<std::thread::id> step_thread_{};
  std::unique_ptr<Engine> engine_;
};

TEST_F(SideWorkTest, AnIdleEngineIsWokenAndWorksUntilNothingIsLeft) {
  work_->give(7);
  EXPECT_TRUE(eventually([&] { return work_->done == 7; }));
  work_->give(2);
  EXPECT_TRUE(eventually([&] { return work_->done == 9; }));
}

TEST_F(SideWorkTest, BesideRequestsItGetsOneShortSliceAStepOnTheSameThread) {
  work_->give(1'000'000);
  Request request;
  request.prompt = {1, 2, 3};
  request.max_tokens = 20;
  const auto sink = std::make_shared<RecordingSink>();
  engine_->submit(request, sink);
  EXPECT_TRUE(eventually([&] { return work_->beside >= 10; }));
  EXPECT_TRUE(eventually([&] { return engine_->stats().running == 0 && engine_->stats().waiting == 0; }));
  EXPECT_LE(work_->beside, 30);
  EXPECT_EQ(work_->thread.load(), step_thread_.load());
}

TEST_F(SideWorkTest, ItIsLetGoOfWhenTheEngineEnds) {
  work_->give(1'000'000);
  engine_.reset();
  EXPECT_TRUE(work_->detached);
  EXPECT_GT(work_->left, 0);
}

}  // namespace
}  // namespace parley::inference::engine
