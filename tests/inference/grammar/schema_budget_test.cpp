#include "inference/grammar/schema_budget.h"

#include <gtest/gtest.h>

namespace parley::inference::grammar {
namespace {

TEST(SchemaBudget, says_what_is_over_and_stays_so) {
  SchemaBudget budget({.max_memory = std::size_t{3} << 20});
  EXPECT_TRUE(budget.spend(1'000'000));
  EXPECT_TRUE(budget.take(std::size_t{3} << 20));
  EXPECT_FALSE(budget.is_over());
  EXPECT_FALSE(budget.take(1));
  EXPECT_EQ(budget.error(), "The schema is too large: what is made of it takes more than 3 MiB.");
  budget.fail("something else");
  EXPECT_EQ(budget.error(), "The schema is too large: what is made of it takes more than 3 MiB.");
  EXPECT_FALSE(budget.spend(1));
  EXPECT_FALSE(budget.has_time());
  EXPECT_FALSE(budget.take(0));
}

TEST(SchemaBudget, looks_at_the_clock_now_and_then) {
  SchemaBudget budget({.max_time = std::chrono::milliseconds(-1)}, "It");
  EXPECT_FALSE(budget.spend(1)) << "at once, for it may be shared";
  EXPECT_EQ(budget.error(), "It takes more than -1 ms to compile.");
  EXPECT_EQ(budget.num_steps(), 1u);
}

}  // namespace
}  // namespace parley::inference::grammar
