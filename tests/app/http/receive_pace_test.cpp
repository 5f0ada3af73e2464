#include "app/http/receive_pace.h"

#include <gtest/gtest.h>

namespace parley::app::http {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;

class ReceivePaceTest : public testing::Test {
 protected:
  ReceivePace::Clock::time_point at(int second) const { return begin_ + seconds(second); }

  const ReceivePace::Clock::time_point begin_;
  const ReceiveRate rate_{1000, seconds(10), seconds(30)};
  ReceivePace pace_{rate_, begin_};
};

TEST_F(ReceivePaceTest, BeginsWithAGrace) {
  EXPECT_EQ(pace_.deadline(), at(10));
  EXPECT_EQ(pace_.left(at(4)), seconds(6));
  EXPECT_EQ(pace_.left(at(11)), milliseconds(1));
}

TEST_F(ReceivePaceTest, GivesTimeForEachByte) {
  pace_.take(5000, at(1));
  EXPECT_EQ(pace_.deadline(), at(15));
  for (int second = 2; second < 1000; ++second) pace_.take(1000, at(second));
  EXPECT_EQ(pace_.deadline(), at(999 + 14)) << "at the least rate for ever";
}

TEST_F(ReceivePaceTest, GivesNoMoreThanASilenceAhead) {
  pace_.take(8'000'000, at(1));
  EXPECT_EQ(pace_.deadline(), at(31));
  pace_.take(1, at(30));
  EXPECT_EQ(pace_.deadline(), at(31) + milliseconds(1)) << "a byte earns what a byte is worth";
}

TEST_F(ReceivePaceTest, TakesAnyRate) {
  ReceivePace pace(ReceiveRate{0, seconds(60), seconds(30)}, begin_);
  EXPECT_EQ(pace.deadline(), at(30));
  pace.take(3, at(0));
  EXPECT_EQ(pace.deadline(), at(30));
}

}  // namespace
}  // namespace parley::app::http
