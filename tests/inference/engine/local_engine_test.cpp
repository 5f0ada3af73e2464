#include "inference/engine/local_engine.h"

#include <gtest/gtest.h>
#include <time.h>

#include <atomic>
#include <future>
#include <random>
#include <thread>

#include "inference/engine/engine_core.h"
#include "tests/fakes/recording_sink.h"
#include "tests/fakes/toy_model.h"
#include "tests/inference/engine/core_harness.h"

namespace parley::inference::engine {
namespace {

using fakes::RecordingSink;
using std::chrono::milliseconds;

constexpr EngineOptions kOptions{.num_blocks = 32,
                                 .max_context = 400,
                                 .max_waiting = 64,
                                 .vocab_size = 101,
                                 .scheduling = {.max_sequences = 4}};

class LocalEngineTest : public testing::Test {
 protected:
  void start(const EngineOptions& options = kOptions,
             std::function<void(const backend::StepPlan&)> before_step = nullptr) {
    auto runner =
        std::make_unique<fakes::ToyRunner>(model_, options.num_blocks, options.scheduling.max_step_tokens);
    runner->before_step = std::move(before_step);
    options_ = options;
    engine_ = make_local_engine(std::move(runner), options);
  }
  struct Submitted {
    RequestId id = 0;
    std::shared_ptr<RecordingSink> sink;
    std::vector<std::int32_t> expected;
  };
  Submitted submit(const Request& request) {
    auto sink = std::make_shared<RecordingSink>();
    const auto outcome = engine_->submit(request, sink);
    return {std::get<RequestId>(outcome), sink,
            fakes::toy_answer(model_, request, request_capacity(options_)).tokens};
  }
  Rejection rejected(const Request& request) {
    auto sink = std::make_shared<RecordingSink>();
    const auto outcome = engine_->submit(request, sink);
    EXPECT_EQ(sink->num_finishes, 0);
    return std::get<Rejection>(outcome);
  }

  const fakes::ToyModel model_{};
  EngineOptions options_;
  std::unique_ptr<Engine> engine_;
};

TEST_F(LocalEngineTest, AnswersManyRequestsAtOnce) {
  start();
  std::vector<Submitted> all;
  for (std::uint64_t i = 0; i < 20; ++i) all.push_back(submit(toy_request(toy_tokens(30, i % 7), 40)));
  for (const Submitted& one : all) {
    EXPECT_EQ(one.sink->wait().reason, StopReason::max_tokens);
    EXPECT_EQ(one.sink->tokens, one.expected);
  }
  const EngineStats stats = engine_->stats();
  EXPECT_EQ(stats.accepted, 20u);
  EXPECT_EQ(stats.generated_tokens, 800u);
  EXPECT_EQ(stats.max_context, 400);
  EXPECT_TRUE(stats.alive);
}

TEST_F(LocalEngineTest, RejectsWhatItCannotRunAndSaysWhy) {
  start();
  EXPECT_EQ(rejected({}).kind, Rejection::Kind::empty_prompt);
  const Rejection too_long = rejected(toy_request(toy_tokens(400, 1), 1));
  EXPECT_EQ(too_long.kind, Rejection::Kind::prompt_too_long);
  EXPECT_EQ(too_long.limit, 399);
  EXPECT_EQ(too_long.actual, 400);
  for (const std::int32_t id : {-1, 101, std::numeric_limits<std::int32_t>::min()}) {
    const Rejection bad_id = rejected(toy_request({1, id, 2}, 1));
    EXPECT_EQ(bad_id.kind, Rejection::Kind::token_out_of_range);
    EXPECT_EQ(bad_id.limit, 101);
    EXPECT_EQ(bad_id.actual, id);
  }
  EXPECT_EQ(submit(toy_request(toy_tokens(399, 1), 0)).sink->wait().completion_tokens, 1);
}

TEST_F(LocalEngineTest, RejectsAPromptLargerThanTheKvMemory) {
  EngineOptions options = kOptions;
  options.num_blocks = 2;
  start(options);
  EXPECT_EQ(rejected(toy_request(toy_tokens(32, 1), 1)).limit, 31);
  EXPECT_EQ(submit(toy_request(toy_tokens(31, 1), 0)).sink->wait().reason, StopReason::context_end);
}

TEST_F(LocalEngineTest, ReadsAheadWhileThereIsNothingElseToDo) {
  start();
  const Submitted ahead = submit(toy_read_ahead(toy_tokens(100, 1)));
  EXPECT_EQ(ahead.sink->wait().reason, StopReason::max_tokens);
  EXPECT_TRUE(ahead.sink->tokens.empty());
  EXPECT_EQ(engine_->stats().read_ahead_tokens, 96u);
  const Submitted question = submit(toy_request(toy_tokens(120, 1), 5));  // begins with the same 100
  EXPECT_EQ(question.sink->wait().cached_tokens, 96);
  EXPECT_EQ(question.sink->tokens, question.expected);
  EXPECT_EQ(engine_->stats().accepted, 1u);
}

// Holds the engine thread inside a step until it is opened.
class Gate {
 public:
  void pass() {
    entered_ = true;
    entered_.notify_all();
    opened_.wait(false);
  }
  void wait_until_entered() { entered_.wait(false); }
  void open() {
    opened_ = true;
    opened_.notify_all();
  }

 private:
  std::atomic<bool> entered_ = false;
  std::atomic<bool> opened_ = false;
};

TEST_F(LocalEngineTest, RejectsWhenTheQueueIsFull) {
  Gate gate;
  EngineOptions options = kOptions;
  options.max_waiting = 3;
  start(options, [&](const backend::StepPlan&) { gate.pass(); });
  std::vector<Submitted> accepted = {submit(toy_request({1}, 1))};
  gate.wait_until_entered();
  // The one inside the step counts as waiting until the step has been reported.
  for (int i = 0; i < 2; ++i) accepted.push_back(submit(toy_request({1}, 1)));
  const Rejection full = rejected(toy_request({1}, 1));
  EXPECT_EQ(full.kind, Rejection::Kind::queue_full);
  EXPECT_EQ(full.limit, 3);
  gate.open();
  for (const Submitted& one : accepted) EXPECT_EQ(one.sink->wait().reason, StopReason::max_tokens);
}

TEST_F(LocalEngineTest, CancelsAtAnyMoment) {
  Gate gate;
  int steps = 0;
  EngineOptions options = kOptions;
  options.scheduling.max_sequences = 1;
  start(options, [&](const backend::StepPlan&) {
    if (++steps == 3) gate.pass();
  });
  const Submitted running = submit(toy_request(toy_tokens(20, 1), 0));
  gate.wait_until_entered();
  const Submitted queued = submit(toy_request(toy_tokens(20, 2), 5));
  for (const RequestId id : {queued.id, running.id, running.id, RequestId{123456}}) engine_->cancel(id);
  gate.open();
  EXPECT_EQ(queued.sink->wait().reason, StopReason::cancelled);
  EXPECT_TRUE(queued.sink->tokens.empty());
  EXPECT_EQ(running.sink->wait().reason, StopReason::cancelled);
  EXPECT_EQ(running.sink->tokens.size(), 3u) << "takes effect within one step";
  engine_->cancel(running.id);
  EXPECT_EQ(submit(toy_request(toy_tokens(20, 3), 5)).sink->wait().reason, StopReason::max_tokens);
  EXPECT_EQ(engine_->stats().referenced_blocks, 0);
}

TEST_F(LocalEngineTest, TellsOfAnEndOnlyWhenItsMemoryIsFree) {
  start();
  const auto sink = std::make_shared<RecordingSink>();
  EngineStats seen;
  sink->when_finished = [&](const FinishedRequest&) { seen = engine_->stats(); };
  engine_->submit(toy_request(toy_tokens(50, 1), 5), sink);
  sink->wait();
  EXPECT_EQ(seen.referenced_blocks, 0);
  EXPECT_EQ(seen.running, 0);
  EXPECT_EQ(seen.finished[static_cast<std::size_t>(StopReason::max_tokens)], 1u);
}

TEST_F(LocalEngineTest, LetsASinkSubmitAndCancel) {
  start();
  const auto second = std::make_shared<RecordingSink>();
  const auto first = std::make_shared<RecordingSink>();
  std::promise<RequestId> first_id;
  std::shared_future<RequestId> id = first_id.get_future().share();
  first->when_token = [&](const GeneratedToken&) { engine_->cancel(id.get()); };
  first->when_finished = [&](const FinishedRequest&) {
    engine_->submit(toy_request(toy_tokens(9, 2), 4), second);
  };
  first_id.set_value(std::get<RequestId>(engine_->submit(toy_request(toy_tokens(9, 1), 0), first)));
  EXPECT_EQ(first->wait().reason, StopReason::cancelled);
  EXPECT_EQ(second->wait().reason, StopReason::max_tokens);
}

TEST_F(LocalEngineTest, EndsAllRequestsWhenItIsDestroyed) {
  Gate gate;
  start(kOptions, [&](const backend::StepPlan&) { gate.pass(); });
  std::vector<Submitted> all;
  for (std::uint64_t i = 0; i < 10; ++i) all.push_back(submit(toy_request(toy_tokens(20, i), 0)));
  gate.wait_until_entered();
  std::thread opener([&] {
    std::this_thread::sleep_for(milliseconds(20));
    gate.open();
  });
  engine_.reset();
  opener.join();
  for (const Submitted& one : all) {
    EXPECT_EQ(one.sink->num_finishes, 1);
    EXPECT_EQ(one.sink->result->reason, StopReason::cancelled);
    EXPECT_EQ(one.sink.use_count(), 1) << "the sink is let go";
  }
}

TEST_F(LocalEngineTest, FailsEverythingWhenTheModelThrows) {
  Gate gate;
  int steps = 0;
  start(kOptions, [&](const backend::StepPlan&) {
    if (++steps < 3) return;
    gate.pass();
    throw std::runtime_error("the device was lost");
  });
  std::vector<Submitted> all;
  for (std::uint64_t i = 0; i < 10; ++i) all.push_back(submit(toy_request(toy_tokens(20, i), 100)));
  gate.wait_until_entered();
  all.push_back(submit(toy_request(toy_tokens(20, 11), 100)));  // accepted while the model is failing
  gate.open();
  for (const Submitted& one : all) {
    const FinishedRequest& result = one.sink->wait();
    EXPECT_EQ(result.reason, StopReason::failed);
    EXPECT_NE(result.error.find("the device was lost"), std::string::npos) << result.error;
    EXPECT_EQ(one.sink->num_finishes, 1);
  }
  EXPECT_FALSE(engine_->stats().alive);
  EXPECT_NE(engine_->stats().failure.find("the device was lost"), std::string::npos);
  EXPECT_EQ(engine_->stats().referenced_blocks, 0);
  EXPECT_EQ(rejected(toy_request({1}, 1)).kind, Rejection::Kind::shutting_down);
}

std::chrono::nanoseconds process_cpu_time() {
  timespec time{};
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
  return std::chrono::seconds(time.tv_sec) + std::chrono::nanoseconds(time.tv_nsec);
}

TEST_F(LocalEngineTest, UsesNoTimeWhileThereIsNothingToDo) {
  start();
  submit(toy_request({1, 2, 3}, 3)).sink->wait();
  const std::uint64_t steps = engine_->stats().steps;
  const auto before = process_cpu_time();
  std::this_thread::sleep_for(milliseconds(200));
  EXPECT_LT(process_cpu_time() - before, milliseconds(50));
  EXPECT_EQ(engine_->stats().steps, steps);
}

// Threads that submit, cancel and look, while the pool is too small for all.
TEST_F(LocalEngineTest, ServesManyThreads) {
  EngineOptions options = kOptions;
  options.num_blocks = 16;
  start(options);
  std::atomic<int> num_wrong = 0;
  std::vector<std::thread> threads;
  for (std::uint64_t thread = 0; thread < 4; ++thread) {
    threads.emplace_back([&, thread] {
      std::mt19937_64 random(thread);
      for (int i = 0; i < 60; ++i) {
        Request request = toy_request(toy_tokens(1 + static_cast<int>(random() % 60), random() % 3), 30);
        const auto expected = fakes::toy_answer(model_, request, request_capacity(options_)).tokens;
        const Submitted one = submit(request);
        const bool cancels = random() % 3 == 0;
        if (cancels) one.sink->wait_for_tokens(random() % 10);
        if (cancels) engine_->cancel(one.id);
        const StopReason reason = one.sink->wait().reason;
        if (engine_->stats().accepted == 0) ++num_wrong;
        if (reason == StopReason::max_tokens ? one.sink->tokens != expected : !cancels) ++num_wrong;
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(num_wrong, 0);
  const EngineStats stats = engine_->stats();
  EXPECT_EQ(stats.accepted, 240u);
  EXPECT_EQ(stats.referenced_blocks, 0);
}

}  // namespace
}  // namespace parley::inference::engine
