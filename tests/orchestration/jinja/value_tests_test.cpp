// The tests of the language, `value is name`. Expected texts are those of Python's jinja2.

#include "orchestration/jinja/value_tests.h"

#include <gtest/gtest.h>

#include "tests/orchestration/jinja/render_helper.h"

namespace parley::orchestration::jinja {
namespace {

TEST(ValueTests, KnowKinds) {
  expect_renders({
      {"{{ 1 is number, 1.5 is number, true is number, '1' is number }}", "(True, True, True, False)"},
      {"{{ 1 is integer, true is integer, 1.0 is integer, 1.0 is float }}", "(True, False, False, True)"},
      {"{{ true is boolean, 1 is boolean, none is none, missing is none }}", "(True, False, True, False)"},
      {"{{ 'a' is string, [] is string, {} is mapping, [] is mapping }}", "(True, False, True, False)"},
      {"{{ missing is defined, missing is undefined, none is defined }}", "(False, True, True)"},
      {"{{ range is callable, 'a' is callable, namespace is callable }}", "(True, False, True)"},
  });
}

TEST(ValueTests, KnowWhatCanBeWalked) {
  expect_renders({
      {"{{ [] is iterable, 'a' is iterable, {} is iterable, 1 is iterable, missing is iterable, none is "
       "iterable }}",
       "(True, True, True, False, True, False)"},
      {"{{ [] is sequence, (1,) is sequence, 'a' is sequence, {} is sequence, 1 is sequence }}",
       "(True, True, True, True, False)"},
      {"{{ ([1]|map('string')) is iterable, ([1]|map('string')) is sequence, {}.items() is sequence }}",
       "(True, False, False)"},
  });
}

TEST(ValueTests, KnowTruthAndIdentity) {
  expect_renders({
      {"{{ true is true, 1 is true, false is false, 0 is false, none is false }}",
       "(True, False, True, False, False)"},
      {"{{ none is sameas none, true is sameas true, 1 is sameas true }}", "(True, True, False)"},
      {"{% set a = [1] %}{% set b = a %}{{ a is sameas b }}{{ a is sameas [1] }}", "TrueFalse"},
  });
}

TEST(ValueTests, Compare) {
  expect_renders({
      {"{{ 1 is eq 1, 1 is ne 1, 1 is lt 2, 1 is gt 2, 1 is le 1, 1 is ge 2 }}",
       "(True, False, True, False, True, False)"},
      {"{{ 'a' is equalto 'a', 2 is greaterthan 1, 2 is lessthan 1 }}", "(True, True, False)"},
      {"{{ 1 is in [1, 2], 'b' is in 'abc', 3 is in {3: 4} }}", "(True, True, True)"},
      {"{{ [1, 2, 3]|select('>', 1)|list, [1, 2]|select('==', 2)|list, [1, 2]|select('!=', 2)|list }}",
       "([2, 3], [2], [1])"},
  });
}

TEST(ValueTests, DivideNumbers) {
  expect_renders({
      {"{{ 1 is odd, 2 is even, -3 is odd, 0 is even }}", "(True, True, True, True)"},
      {"{{ 6 is divisibleby 3, 7 is divisibleby 3, -6 is divisibleby 3 }}", "(True, False, True)"},
      {"{{ 2.0 is even, 3.0 is odd }}", "(True, True)"},
  });
}

TEST(ValueTests, KnowNames) {
  expect_renders({
      {"{{ 'upper' is filter, 'nope' is filter }}", "(True, False)"},
      {"{{ 'odd' is test, 'nope' is test }}", "(True, False)"},
      {"{{ 'a' is lower, 'A' is lower, 'A1' is upper, '1' is upper, 'é' is lower }}",
       "(True, False, True, False, True)"},
      {"{{ '<' is escaped }}", "False"},
  });
}

TEST(ValueTests, FailuresNameTheCause) {
  expect_failures({
      {"{{ 'a' is odd }}", ""},
      {"{{ none is odd }}", "unsupported operand types for %"},
      {"{{ 1 is divisibleby 0 }}", "division by zero"},
      {"{{ 1 is lt 'a' }}", "cannot be ordered"},
      {"{{ 1 is in 5 }}", "is not iterable"},
      {"{{ 1 is sameas }}", "needs the argument 'other'"},
  });
}

TEST(ValueTests, AreFoundByName) {
  EXPECT_NE(find_test("divisibleby"), nullptr);
  EXPECT_EQ(find_test("upperr"), nullptr);
  EXPECT_NE(error_of("{{ [1]|select('nope')|list }}").find("No test named 'nope'"), std::string::npos);
}

}  // namespace
}  // namespace parley::orchestration::jinja
