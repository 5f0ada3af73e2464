// Calls, filters and tests with their arguments. Expected texts are those of Python's jinja2.

#include <gtest/gtest.h>

#include "orchestration/jinja/expressions.h"
#include "tests/orchestration/jinja/render_helper.h"

namespace parley::orchestration::jinja {
namespace {

TEST(CallExpressions, ArgumentsAreEvaluatedInOrder) {
  expect_renders({
      {"{% macro m(a, b, c) %}{{ a }}{{ b }}{{ c }}{% endmacro %}{{ m(1, c=3, b=2) }}", "123"},
      {"{% macro m() %}{{ varargs }}{{ kwargs }}{% endmacro %}{{ m(1, *[2, 3], x=4, **{'y': 5}) }}",
       "(1, 2, 3){'x': 4, 'y': 5}"},
      {"{{ range(*(1, 3))|list }}", "[1, 2]"},
      {"{{ dict(**{}) }}", "{}"},
  });
}

TEST(CallExpressions, ValuesThatAreCallableAreCalled) {
  expect_renders({
      {"{% set f = 'a b'.split %}{{ f() }}", "['a', 'b']"},
      {"{% set d = {'f': range} %}{{ d.f(2)|list }}", "[0, 1]"},
      {"{{ ('x'.upper)() }}", "X"},
      {"{% macro m() %}x{% endmacro %}{{ (m)() }}", "x"},
  });
}

TEST(CallExpressions, FiltersAndTestsGetTheirInputFirst) {
  expect_renders({
      {"{{ 'abc'|replace('b', 'x') }}", "axc"},
      {"{{ 'abc'|replace('b', 'x', count=1) }}", "axc"},
      {"{{ 5 is divisibleby 5 }}", "True"},
      {"{{ [3, 1]|sort(reverse=true) }}", "[3, 1]"},
      {"{{ 'a'|default('b') }}", "a"},
  });
}

TEST(CallExpressions, RefusesWhatCannotBeCalled) {
  expect_failures({
      {"{{ missing() }}", "'missing' is undefined"},
      {"{{ 5() }}", "'int' object is not callable"},
      {"{{ 'a'.nope() }}", "'str object' has no attribute 'nope'"},
      {"{{ namespace()() }}", "'Namespace' object is not callable"},
      {"{{ 'a'|nofilter }}", "No filter named 'nofilter'"},
      {"{{ 'a' is notest }}", "No test named 'notest'"},
      {"{{ dict(**[1]) }}", "argument after ** must be a mapping"},
      {"{{ dict(**{1: 2}) }}", "keywords must be strings"},
      {"{{ range(*5) }}", "'int' object is not iterable"},
  });
}

}  // namespace
}  // namespace parley::orchestration::jinja
