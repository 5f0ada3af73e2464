#include "orchestration/turn/reasoning_clock.h"

#include <gtest/gtest.h>

namespace parley::orchestration::turn {
namespace {

class ReasoningClockTest : public testing::Test {
 protected:
  void reasons(int at) {
    ChatDelta delta;
    delta.reasoning = "Hm.";
    clock_.take(delta, time(at));
  }
  void says(int at) {
    ChatDelta delta;
    delta.text = "Yes.";
    clock_.take(delta, time(at));
  }
  void makes_a_call(int at) {
    ChatDelta delta;
    delta.calls.emplace_back(calls::CallBegin{0, "weather", ""});
    clock_.take(delta, time(at));
  }
  double total(int at) const { return clock_.total(time(at)).count(); }
  static ReasoningClock::Clock::time_point time(int ms) {
    return ReasoningClock::Clock::time_point(std::chrono::milliseconds(ms));
  }

  ReasoningClock clock_;
};

TEST_F(ReasoningClockTest, CountsFromTheFirstPieceToWhatComesBehind) {
  EXPECT_EQ(total(50), 0);
  reasons(100);
  reasons(300);
  EXPECT_EQ(total(400), 300);
  says(600);
  says(900);
  EXPECT_EQ(total(1000), 500);
}

TEST_F(ReasoningClockTest, ACallEndsItAndMoreReasoningIsAdded) {
  reasons(100);
  makes_a_call(300);
  EXPECT_EQ(total(900), 200);
  reasons(1000);
  EXPECT_EQ(total(1100), 300);
}

TEST_F(ReasoningClockTest, ProseAloneTakesNone) {
  says(100);
  EXPECT_EQ(total(900), 0);
}

TEST_F(ReasoningClockTest, ReasoningAndProseThatComeTogetherTakeNone) {
  ChatDelta delta;
  delta.reasoning = "Hm.";
  delta.text = "Yes.";
  clock_.take(delta, time(100));
  EXPECT_EQ(total(900), 0);
}

}  // namespace
}  // namespace parley::orchestration::turn
