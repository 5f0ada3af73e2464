// Unary and binary operators, comparisons and logic as expressions. Expected texts are those of Python's
// jinja2.

#include <gtest/gtest.h>

#include "orchestration/jinja/expressions.h"
#include "tests/orchestration/jinja/render_helper.h"

namespace parley::orchestration::jinja {
namespace {

TEST(OperatorExpressions, SignsAndNegation) {
  expect_renders({
      {"{{ -1 }}", "-1"},
      {"{{ - -1 }}", "1"},
      {"{{ +true }}", "1"},
      {"{{ -true }}", "-1"},
      {"{{ -1.5 }}", "-1.5"},
      {"{{ not 1 }}", "False"},
      {"{{ not not '' }}", "False"},
      {"{{ not none }}", "True"},
  });
}

TEST(OperatorExpressions, LogicGivesAnOperandAndStopsEarly) {
  expect_renders({
      {"{{ 1 and 2 }}", "2"},
      {"{{ 0 and missing.x }}", "0"},
      {"{{ 1 or missing.x }}", "1"},
      {"{{ 0 or 'x' }}", "x"},
      {"{{ '' or none }}", "None"},
      {"{{ [] or {} or 'last' }}", "last"},
      {"{{ 1 and 0 and missing.x }}", "0"},
      {"{{ none and 1 }}", "None"},
  });
}

TEST(OperatorExpressions, ConcatenationJoinsAsText) {
  expect_renders({
      {"{{ 1 ~ 'a' ~ none ~ true ~ 1.0 }}", "1aNoneTrue1.0"},
      {"{{ 'a' ~ missing ~ 'b' }}", "ab"},
      {"{{ [1] ~ {} }}", "[1]{}"},
      {"{{ 1 ~ 2 ~ 3 }}", "123"},
  });
}

TEST(OperatorExpressions, ComparisonsStopAtTheFirstFalse) {
  expect_renders({
      {"{{ 1 > 2 > missing.x }}", "False"},
      {"{{ 1 < 2 < 3 < 4 }}", "True"},
      {"{{ 1 == 1.0 == true }}", "True"},
      {"{{ 'a' in 'ab' in ['ab'] }}", "True"},
      {"{{ 1 != 1 != 2 }}", "False"},
  });
}

TEST(OperatorExpressions, FailuresAreThoseOfTheOperands) {
  expect_failures({
      {"{{ -'a' }}", "bad operand type for unary -: 'str'"},
      {"{{ -none }}", "bad operand type for unary -: 'NoneType'"},
      {"{{ 1 + 'a' }}", "unsupported operand types for +: 'int' and 'str'"},
      {"{{ 1 < 'a' }}", "cannot be ordered"},
      {"{{ missing + 1 }}", "'missing' is undefined"},
      {"{{ 1 in 5 }}", "is not iterable"},
  });
}

}  // namespace
}  // namespace parley::orchestration::jinja
