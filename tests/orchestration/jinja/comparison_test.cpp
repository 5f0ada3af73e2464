// Truth, equality, order and membership. Expected texts are those of Python's jinja2.

#include "orchestration/jinja/comparison.h"

#include <gtest/gtest.h>

#include <cmath>
#include <string>
#include <vector>

#include "tests/orchestration/jinja/render_helper.h"

namespace parley::orchestration::jinja {
namespace {

TEST(Comparison, IsPythons) {
  expect_renders({
      {"{{ 1 == 1.0, 1 == true, 'a' == 'a', 1 == '1', none == false, none == none }}",
       "(True, True, True, False, False, True)"},
      {"{{ [1, 2] == [1, 2.0], [1, 2] == (1, 2), (1,) == (1,), [] == [] }}", "(True, False, True, True)"},
      {"{{ {'a': 1} == {'a': 1.0}, {'a': 1, 'b': 2} == {'b': 2, 'a': 1}, {} == [] }}", "(True, True, False)"},
      {"{{ 1 < 2.5, 'a' < 'b', 'Z' < 'a', [1, 2] < [1, 3], (1,) < (1, 0), [] < [1], true < 2 }}",
       "(True, True, True, True, True, True, True)"},
      {"{{ 2 <= 2, 3 >= 3.0, 'b' > 'a', [2] > [1, 9], [1, 'a'] < [2, none] }}",
       "(True, True, True, True, True)"},
  });
}

TEST(Comparison, LooksInside) {
  expect_renders({
      {"{{ 'b' in 'abc', '' in 'abc', 'x' not in 'abc', 'abcd' in 'abc' }}", "(True, True, True, False)"},
      {"{{ 1 in [1, 2], 1.0 in [1], '1' in [1], [1] in [[1]], none in [none] }}",
       "(True, True, False, True, True)"},
      {"{{ 'a' in {'a': 1}, 1 in {true: 2}, 'x' in {}, 3 in (1, 2), 'x' in missing }}",
       "(True, True, False, False, False)"},
  });
}

TEST(Comparison, KnowsTruth) {
  expect_renders({
      {"{% for x in [0, 1, 0.0, 0.5, '', 'a', [], [0], {}, {0: 0}, none, (), (0,)] %}{{ 1 if x else 0 }}{% "
       "endfor %}",
       "0101010101001"},
      {"{{ 1 if missing else 0, 1 if range else 0, 1 if namespace() else 0 }}", "(0, 1, 1)"},
  });
}

TEST(Comparison, RefusesWhatHasNoOrder) {
  expect_failures({
      {"{{ 1 < 'a' }}", "'int' and 'str' cannot be ordered"},
      {"{{ none < none }}", "'NoneType' and 'NoneType' cannot be ordered"},
      {"{{ {} < {} }}", "'dict' and 'dict' cannot be ordered"},
      {"{{ [1] < (1,) }}", "'list' and 'tuple' cannot be ordered"},
      {"{{ [[]] < [{}] }}", "cannot be ordered"},
      {"{{ missing < 1 }}", "'missing' is undefined"},
      {"{{ 1 in 5 }}", "argument of type 'int' is not iterable"},
      {"{{ 1 in 'a' }}", "requires string as left operand, not int"},
      {"{{ [] in {} }}", "unhashable type: 'list'"},
  });
}

class ComparisonTest : public testing::Test {
 protected:
  RenderLimits limits_ = {.max_steps = 100'000'000};
  Interpreter interpreter_{"", limits_, {}};
};

TEST_F(ComparisonTest, NumbersCompareExactly) {
  const std::int64_t large = (std::int64_t{1} << 53) + 1;
  EXPECT_FALSE(equal(interpreter_, Value::integer(large), Value::floating(9007199254740992.0)));
  EXPECT_TRUE(less(interpreter_, Value::floating(9007199254740992.0), Value::integer(large)));
  EXPECT_TRUE(equal(interpreter_, Value::boolean(true), Value::floating(1.0)));
  EXPECT_FALSE(equal(interpreter_, Value::floating(std::nan("")), Value::floating(std::nan(""))));
}

TEST_F(ComparisonTest, OrderIsTotalOverTextAndNumbers) {
  const std::vector<std::string> texts = {"", "A", "B", "a", "aa", "ab", "b", "z", "é", "€", "😀"};
  for (std::size_t i = 0; i < texts.size(); ++i) {
    for (std::size_t j = 0; j < texts.size(); ++j) {
      const Value left = Value::text(texts[i], 0);
      const Value right = Value::text(texts[j], 0);
      EXPECT_EQ(less(interpreter_, left, right), i < j);
      EXPECT_EQ(equal(interpreter_, left, right), i == j);
    }
  }
}

TEST_F(ComparisonTest, WhatHasNoOrderFails) {
  const Value values[] = {Value::none(),   Value::integer(1), Value::text("x", 0),
                          Value::list({}), Value::dict({}),   Value()};
  for (std::size_t i = 0; i < 6; ++i) {
    for (std::size_t j = 0; j < 6; ++j) {
      const bool ordered = i == j && (i == 1 || i == 2 || i == 3);
      if (ordered) continue;
      EXPECT_THROW(less(interpreter_, values[i], values[j]), TemplateError) << i << j;
      EXPECT_EQ(equal(interpreter_, values[i], values[j]), i == j) << i << j;
    }
  }
}

}  // namespace
}  // namespace parley::orchestration::jinja
