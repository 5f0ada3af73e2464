#include "app/api/pending_event.h"

#include <gtest/gtest.h>

#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/redirect_error.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/use_awaitable.hpp>

namespace parley::app::api {
namespace {

namespace asio = boost::asio;
namespace turn = orchestration::turn;
using std::chrono::milliseconds;

// Gives one delta after a pause, or throws then.
class SlowStream : public turn::ChatStream {
 public:
  SlowStream(const asio::any_io_executor& executor, milliseconds pause, bool breaks)
      : timer_(executor), pause_(pause), breaks_(breaks) {}

  int left_out_turns() const override { return 0; }
  std::optional<std::vector<std::int32_t>> continued_ids() const override { return std::nullopt; }
  void cancel() override {}
  asio::awaitable<turn::ChatEvent> next() override {
    boost::system::error_code ignored;
    timer_.expires_after(pause_);
    co_await timer_.async_wait(asio::redirect_error(asio::use_awaitable, ignored));
    if (breaks_) throw std::runtime_error("broken on purpose");
    turn::ChatDelta delta;
    delta.text = "late";
    co_return delta;
  }

 private:
  asio::steady_timer timer_;
  milliseconds pause_;
  bool breaks_;
};

struct Outcome {
  int num_waits = 0;  // that ended without the event
  std::string text;
  std::string failure;
};

asio::awaitable<void> wait_for(asio::io_context& io, SlowStream& stream, milliseconds limit,
                               Outcome& outcome) {
  PendingEvent pending(io.get_executor(), stream);
  bool arrived = co_await pending.wait(limit);
  while (!arrived) {
    ++outcome.num_waits;
    arrived = co_await pending.wait(limit);
  }
  outcome.text = std::get<turn::ChatDelta>(pending.take()).text;
}

Outcome run(milliseconds pause, milliseconds limit, bool breaks) {
  asio::io_context io;
  SlowStream stream(io.get_executor(), pause, breaks);
  Outcome outcome;
  auto ended = [&outcome](const std::exception_ptr& failure) {
    try {
      if (failure) std::rethrow_exception(failure);
    } catch (const std::runtime_error& error) {
      outcome.failure = error.what();
    }
  };
  asio::co_spawn(io, wait_for(io, stream, limit, outcome), ended);
  io.run();
  return outcome;
}

TEST(PendingEventTest, SaysEachTimeThatTheEventIsNotThereYet) {
  const Outcome outcome = run(milliseconds(60), milliseconds(10), /*breaks=*/false);
  EXPECT_GE(outcome.num_waits, 2);
  EXPECT_EQ(outcome.text, "late");
}

TEST(PendingEventTest, WaitsNoLongerThanForTheEvent) {
  const auto begin = std::chrono::steady_clock::now();
  const Outcome outcome = run(milliseconds(1), std::chrono::hours(1), /*breaks=*/false);
  EXPECT_EQ(outcome.num_waits, 0);
  EXPECT_EQ(outcome.text, "late");
  EXPECT_LT(std::chrono::steady_clock::now() - begin, std::chrono::seconds(30));
}

TEST(PendingEventTest, ThrowsWhatTheStreamThrew) {
  const Outcome outcome = run(milliseconds(1), std::chrono::hours(1), /*breaks=*/true);
  EXPECT_EQ(outcome.failure, "broken on purpose");
}

TEST(PendingEventTest, MayBeDroppedBeforeTheEventArrives) {
  asio::io_context io;
  SlowStream stream(io.get_executor(), milliseconds(20), /*breaks=*/false);
  { const PendingEvent dropped(io.get_executor(), stream); }
  EXPECT_GT(io.run(), 0u);
}

}  // namespace
}  // namespace parley::app::api
