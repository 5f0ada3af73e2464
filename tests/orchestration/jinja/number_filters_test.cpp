// Filters that make numbers. Expected texts are those of Python's jinja2.

#include <gtest/gtest.h>

#include "orchestration/jinja/filters.h"
#include "tests/orchestration/jinja/render_helper.h"

namespace parley::orchestration::jinja {
namespace {

TEST(NumberFilters, IntReadsWhatPythonReads) {
  expect_renders({
      {"{{ '42'|int, ' 42 '|int, '-7'|int, '+7'|int, '1_000'|int, '007'|int }}", "(42, 42, -7, 7, 1000, 7)"},
      {"{{ '42.9'|int, '1e3'|int, 'x'|int, ''|int, 'inf'|int, 'nan'|int }}", "(42, 1000, 0, 0, 0, 0)"},
      {"{{ 'x'|int(7), 'x'|int(default=none), none|int, none|int(5), [1]|int }}", "(7, None, 0, 5, 0)"},
      {"{{ 'ff'|int(base=16), '0xff'|int(0, 16), '0b11'|int(0, 2), '0o17'|int(0, 8), 'zz'|int(0, 36) }}",
       "(255, 255, 3, 15, 1295)"},
      {"{{ 3.99|int, -3.99|int, true|int, false|int, 1e18|int }}", "(3, -3, 1, 0, 1000000000000000000)"},
  });
}

TEST(NumberFilters, FloatReadsWhatPythonReads) {
  expect_renders({
      {"{{ '1.5'|float, ' 2.5 '|float, '1e3'|float, '+1'|float, '1_0.5'|float }}",
       "(1.5, 2.5, 1000.0, 1.0, 10.5)"},
      {"{{ 'x'|float, 'x'|float(2), ''|float, none|float, '-inf'|float, 'nan'|float, 'Infinity'|float }}",
       "(0.0, 2, 0.0, 0.0, -inf, nan, inf)"},
      {"{{ 1|float, true|float, '1e400'|float, '1e-400'|float, '.5'|float, '5.'|float }}",
       "(1.0, 1.0, inf, 0.0, 0.5, 5.0)"},
  });
}

TEST(NumberFilters, RoundTiesToEven) {
  expect_renders({
      {"{{ 2.5|round, 3.5|round, -2.5|round, 2.675|round(2), 2.345|round(1), 1.005|round(2) }}",
       "(2.0, 4.0, -2.0, 2.67, 2.3, 1.0)"},
      {"{{ 42|round, 7|round(-1), 15|round(-1), 25|round(-1), 1234.5|round(-2) }}",
       "(42, 10, 20, 20, 1200.0)"},
      {"{{ 2.1|round(0, 'ceil'), 2.9|round(0, 'floor'), 2.19|round(1, 'floor'), -2.1|round(method='ceil') }}",
       "(3.0, 2.0, 2.1, -2.0)"},
      {"{{ 0.5|round, 1e300|round(2), true|round }}", "(0.0, 1e+300, 1)"},
  });
}

TEST(NumberFilters, AddUpAndCount) {
  expect_renders({
      {"{{ [1, 2, 3]|sum, []|sum, [1.5, 2]|sum, [1]|sum(start=10) }}", "(6, 0, 3.5, 11)"},
      {"{{ [{'n': 1}, {'n': 2}]|sum(attribute='n'), [[1], [2]]|sum(start=[]) }}", "(3, [1, 2])"},
      {"{{ [1, 2]|length, 'é😀'|length, {'a': 1}|length, missing|length, [1]|count }}", "(2, 2, 1, 0, 1)"},
      {"{{ -3|abs, -3.5|abs, 0|abs, true|abs }}", "(3, 3.5, 0, 1)"},
  });
}

TEST(NumberFilters, FailuresNameTheCause) {
  expect_failures({
      {"{{ 5|length }}", "object of type 'int' has no len()"},
      {"{{ [1]|map('string')|length }}", "object of type 'generator' has no len()"},
      {"{{ 'a'|abs }}", "bad operand type"},
      {"{{ 'a'|round }}", "round needs a number, not 'str'"},
      {"{{ 1.5|round(1, 'up') }}", "method must be common, ceil or floor"},
      {"{{ ['a']|sum }}", "unsupported operand types for +"},
      {"{{ 5|sum }}", "'int' object is not iterable"},
  });
}

}  // namespace
}  // namespace parley::orchestration::jinja
