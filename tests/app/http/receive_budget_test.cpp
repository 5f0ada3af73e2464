#include "app/http/receive_budget.h"

#include <gtest/gtest.h>

#include <memory>
#include <optional>

namespace parley::app::http {
namespace {

class ReceiveBudgetTest : public testing::Test {
 protected:
  static HttpLimits limits() {
    HttpLimits limits;
    limits.max_unfinished = 1000;
    limits.uncounted_unfinished = 100;
    return limits;
  }

  const ReceiveBudgetPtr budget_ = std::make_shared<ReceiveBudget>(limits());
};

TEST_F(ReceiveBudgetTest, CountsWhatIsAboveEachOnesOwn) {
  UnfinishedBytes one(budget_);
  EXPECT_TRUE(one.add(60));
  EXPECT_TRUE(one.add(40));
  EXPECT_EQ(budget_->held_bytes, 0u);
  EXPECT_TRUE(one.add(300));
  EXPECT_EQ(budget_->held_bytes, 300u);
}

TEST_F(ReceiveBudgetTest, RefusesWhatAllTogetherMayNotHave) {
  UnfinishedBytes one(budget_);
  UnfinishedBytes other(budget_);
  EXPECT_TRUE(one.add(800));
  EXPECT_TRUE(other.add(400));
  EXPECT_EQ(budget_->held_bytes, 1000u);
  EXPECT_FALSE(other.add(1));
  EXPECT_FALSE(one.add(1));
  EXPECT_EQ(budget_->held_bytes, 1000u);
  UnfinishedBytes small(budget_);
  EXPECT_TRUE(small.add(100)) << "ordinary ones get through";
}

TEST_F(ReceiveBudgetTest, GetsBackWhatHasEnded) {
  std::optional<UnfinishedBytes> one(budget_);
  EXPECT_TRUE(one->add(1100));
  UnfinishedBytes other(budget_);
  EXPECT_FALSE(other.add(101));
  one.reset();
  EXPECT_EQ(budget_->held_bytes, 0u);
  EXPECT_TRUE(other.add(1100));
}

}  // namespace
}  // namespace parley::app::http
