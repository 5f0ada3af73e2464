#include "orchestration/mcp/pending_requests.h"

#include <gtest/gtest.h>

#include <atomic>
#include <thread>
#include <vector>

namespace parley::orchestration::mcp {
namespace {

using Clock = std::chrono::steady_clock;
using inference::json::JsonObject;
using std::chrono::milliseconds;
using Kind = RequestFailure::Kind;

Kind failure_kind(const Reply& reply) { return std::get<RequestFailure>(reply).kind; }

Wait within(milliseconds time) { return {.deadline = Clock::now() + time, .stop = {}, .on_progress = {}}; }

TEST(PendingRequests, each_waiter_gets_its_own_answer) {
  PendingRequests pending;
  std::vector<std::jthread> threads;
  std::atomic<int> right{0};
  for (int i = 0; i < 20; ++i) {
    const std::int64_t id = pending.open();
    threads.emplace_back([&pending, &right, id] {
      const Reply reply = pending.wait(id, within(milliseconds(5000)));
      if (std::get<JsonObject>(reply).at("id") == id) ++right;
    });
  }
  for (std::int64_t id = 20; id >= 1; --id) EXPECT_TRUE(pending.settle(id, JsonObject{{"id", id}}));
  threads.clear();
  EXPECT_EQ(right, 20);
}

TEST(PendingRequests, an_answer_before_the_wait_is_kept_and_a_second_dropped) {
  PendingRequests pending;
  const std::int64_t id = pending.open();
  EXPECT_TRUE(pending.settle(id, JsonObject{{"n", 1}}));
  EXPECT_FALSE(pending.settle(id, JsonObject{{"n", 2}}));
  EXPECT_EQ(std::get<JsonObject>(pending.wait(id, within(milliseconds(0)))).at("n"), 1);
  EXPECT_FALSE(pending.settle(id, JsonObject()));
  EXPECT_FALSE(pending.settle(999, JsonObject()));
  EXPECT_FALSE(pending.report(id, {}));
}

TEST(PendingRequests, gives_up_at_the_deadline_or_when_stopped) {
  PendingRequests pending;
  EXPECT_EQ(failure_kind(pending.wait(pending.open(), within(milliseconds(10)))), Kind::timed_out);
  std::stop_source stop;
  std::jthread stopper([&] {
    std::this_thread::sleep_for(milliseconds(10));
    stop.request_stop();
  });
  EXPECT_EQ(failure_kind(pending.wait(pending.open(), {.stop = stop.get_token(), .on_progress = {}})),
            Kind::cancelled);
}

TEST(PendingRequests, progress_puts_off_the_time_out_but_not_the_deadline) {
  PendingRequests pending;
  const std::int64_t id = pending.open();
  std::jthread server([&](const std::stop_token& stop) {
    for (int i = 0; !stop.stop_requested(); ++i) {
      pending.report(id, {.progress = i, .total = {}, .message = {}});
      std::this_thread::sleep_for(milliseconds(20));
    }
  });
  int seen = 0;
  const auto begin = Clock::now();
  Wait wait = within(milliseconds(600));
  wait.quiet = milliseconds(300);
  wait.on_progress = [&](const Progress&) { ++seen; };
  EXPECT_EQ(failure_kind(pending.wait(id, wait)), Kind::timed_out);
  EXPECT_GE(Clock::now() - begin, milliseconds(590));
  EXPECT_GE(seen, 2);
}

TEST(PendingRequests, silence_after_progress_is_a_time_out) {
  PendingRequests pending;
  const std::int64_t id = pending.open();
  pending.report(id, {});
  Wait wait = within(milliseconds(10000));
  wait.quiet = milliseconds(30);
  wait.on_progress = [](const Progress&) {};
  const auto begin = Clock::now();
  EXPECT_EQ(failure_kind(pending.wait(id, wait)), Kind::timed_out);
  EXPECT_LT(Clock::now() - begin, milliseconds(3000));
}

TEST(PendingRequests, closing_fails_those_that_wait_and_those_to_come) {
  PendingRequests pending;
  const std::int64_t id = pending.open();
  std::jthread closer([&] { pending.close("it crashed"); });
  const Reply reply = pending.wait(id, {});
  EXPECT_EQ(failure_kind(reply), Kind::closed);
  EXPECT_EQ(std::get<RequestFailure>(reply).message, "it crashed");
  pending.close("again");
  EXPECT_EQ(std::get<RequestFailure>(pending.wait(pending.open(), {})).message, "it crashed");
}

}  // namespace
}  // namespace parley::orchestration::mcp
