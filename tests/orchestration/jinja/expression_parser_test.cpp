// Which operators bind tighter, and where an expression ends. Expected texts are those of Python's jinja2.

#include "orchestration/jinja/expression_parser.h"

#include <gtest/gtest.h>

#include "tests/orchestration/jinja/render_helper.h"

namespace parley::orchestration::jinja {
namespace {

TEST(ExpressionParser, BindsOperatorsAsJinjaDoes) {
  expect_renders({
      {"{{ 1 + 2 * 3 ** 2 }}", "19"},
      {"{{ 10 - 3 - 2 }}", "5"},
      {"{{ 100 // 7 % 4 }}", "2"},
      {"{{ 2 * 3 % 4 / 2 }}", "1.0"},
      {"{{ 2 ** 3 ** 2 }}", "64"},
      {"{{ -2 ** 2 }}", "4"},
      {"{{ 2 ** -1 }}", "0.5"},
      {"{{ 1 ~ 2 * 3 }}", "16"},
      {"{{ 'a' ~ 1 + 'b' if 0 else 2 }}", "2"},
      {"{{ not 1 == 2 }}", "True"},
      {"{{ not 0 and 0 }}", "0"},
      {"{{ 1 or 0 and 0 }}", "1"},
      {"{{ 0 and 1 or 2 }}", "2"},
      {"{{ 1 < 2 == 2 }}", "True"},
      {"{{ 'a' ~ 'b' in 'ab' }}", "True"},
      {"{{ 1 + 1 in [2] }}", "True"},
      {"{{ not 1 in [2] }}", "True"},
  });
}

TEST(ExpressionParser, ConditionsReadFromTheLeft) {
  expect_renders({
      {"{{ 1 if 0 else 2 if 0 else 3 }}", "3"},
      {"{{ 1 if 1 else 2 if 0 else 3 }}", "1"},
      {"{{ 'a' if 0 or 1 else 'b' }}", "a"},
      {"{{ 1 if 0 }}", ""},
      {"{{ (1 if 0) is undefined }}", "True"},
      {"{{ 'x' ~ ('y' if 1) }}", "xy"},
      {"{{ 1 if 1 if 0 else 2 }}", "2"},
  });
}

TEST(ExpressionParser, CommasMakeTuples) {
  expect_renders({
      {"{{ 1, 2 }}", "(1, 2)"},
      {"{{ 1, }}", "(1,)"},
      {"{{ (1, 2), 3 }}", "((1, 2), 3)"},
      {"{{ (1,) }}", "(1,)"},
      {"{{ (1) }}", "1"},
      {"{{ 1, 2 if 0 else 3 }}", "(1, 3)"},
      {"{% for x in 1, 2 %}{{ x }}{% endfor %}", "12"},
      {"{% set x = 1, %}{{ x }}", "(1,)"},
  });
}

TEST(ExpressionParser, ChainsCompareNeighbours) {
  expect_renders({
      {"{{ 1 < 2 < 3 }}", "True"},
      {"{{ 1 < 3 < 2 }}", "False"},
      {"{{ 3 > 2 >= 2 == 2 }}", "True"},
      {"{{ 1 in [1] in [[1]] }}", "True"},
      {"{{ 2 not in [1] == true }}", "False"},
      {"{{ 1 != 2 != 1 }}", "True"},
  });
}

TEST(ExpressionParser, SaysWhatItExpected) {
  expect_failures({
      {"{{ 1 + }}", "expected an expression, got '}}'"},
      {"{{ 1 if }}", "expected an expression"},
      {"{{ 1, , 2 }}", "expected an expression, got ','"},
      {"{{ 1 < }}", "expected an expression"},
      {"{{ not }}", "expected an expression"},
      {"{{ 1 ** }}", "expected an expression"},
      {"{{ 1 ~ 2 + 3 }}", "unsupported operand types for +: 'str' and 'int'"},
      {"{{ 1 not 2 }}", "expected '}}', got 'not'"},
      {"{% if 1 if 2 else 3 %}{% endif %}", "expected '%}', got 'if'"},
  });
}

}  // namespace
}  // namespace parley::orchestration::jinja
