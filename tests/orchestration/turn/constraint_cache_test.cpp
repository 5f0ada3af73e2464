#include "orchestration/turn/constraint_cache.h"

#include <gtest/gtest.h>

#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#include "tests/fakes/toy_constraint.h"

namespace parley::orchestration::turn {
namespace {

class ConstraintCacheTest : public testing::Test {
 protected:
  ConstraintPointer get(const std::string& key) {
    const auto make = [this] {
      ++num_made_;
      return kept();
    };
    return cache_.get(key, make).constraint;
  }
  static KeptConstraint kept() { return {std::make_shared<const tests::fakes::ToyConstraint>(8, 1, 2)}; }

  ConstraintCache cache_{2};
  int num_made_ = 0;
};

TEST_F(ConstraintCacheTest, MakesEachOnce) {
  const ConstraintPointer first = get("a");
  EXPECT_EQ(get("a"), first);
  EXPECT_NE(get("b"), first);
  EXPECT_EQ(num_made_, 2);
}

TEST_F(ConstraintCacheTest, LetsGoTheOneNotUsedForLongest) {
  const std::weak_ptr<const inference::grammar::TokenConstraint> b = (get("a"), get("b"));
  get("a");
  get("c");
  EXPECT_TRUE(b.expired());
  EXPECT_EQ(num_made_, 3);
  get("a");
  EXPECT_EQ(num_made_, 3);
  get("b");
  EXPECT_EQ(num_made_, 4);
}

TEST_F(ConstraintCacheTest, KeepsThatThereIsNone) {
  const auto none = [this] {
    ++num_made_;
    return KeptConstraint{nullptr, {"all of it"}};
  };
  EXPECT_EQ(cache_.get("a", none).constraint, nullptr);
  EXPECT_EQ(cache_.get("a", none).constraint, nullptr);
  EXPECT_EQ(cache_.get("a", none).unenforced, std::vector<std::string>{"all of it"});
  EXPECT_EQ(num_made_, 1);
}

TEST_F(ConstraintCacheTest, AFailureIsNotKept) {
  const auto failing = []() -> KeptConstraint { throw std::runtime_error("no memory"); };
  EXPECT_THROW(cache_.get("a", failing), std::runtime_error);
  EXPECT_NE(get("a"), nullptr);
}

TEST(ConstraintCacheThreads, AllGetTheSame) {
  ConstraintCache cache(4);
  std::vector<ConstraintPointer> got(8);
  std::vector<std::thread> threads;
  for (ConstraintPointer& one : got) {
    threads.emplace_back([&cache, &one] {
      const auto make = [] {
        return KeptConstraint{std::make_shared<const tests::fakes::ToyConstraint>(8, 1, 2)};
      };
      one = cache.get("a", make).constraint;
    });
  }
  for (std::thread& thread : threads) thread.join();
  for (const ConstraintPointer& one : got) EXPECT_EQ(one, got[0]);
}

}  // namespace
}  // namespace parley::orchestration::turn
