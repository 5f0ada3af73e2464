// What each statement writes and assigns. Expected texts are those of Python's jinja2.

#include "orchestration/jinja/statements.h"

#include <gtest/gtest.h>

#include "tests/orchestration/jinja/render_helper.h"

namespace parley::orchestration::jinja {
namespace {

TEST(Statements, IfTakesTheFirstTrueBranch) {
  expect_renders({
      {"{% if 0 %}a{% elif 1 %}b{% elif 1 %}c{% else %}d{% endif %}", "b"},
      {"{% if 0 %}a{% elif '' %}b{% else %}d{% endif %}", "d"},
      {"{% if [] %}a{% endif %}", ""},
      {"{% if missing %}a{% else %}b{% endif %}", "b"},
      {"{% if 0 %}{{ missing.x }}{% endif %}x", "x"},
  });
}

TEST(Statements, SetTakesNamesTuplesAndAttributes) {
  expect_renders({
      {"{% set a = 1 %}{{ a }}", "1"},
      {"{% set a, b = 1, 2 %}{{ a }}{{ b }}", "12"},
      {"{% set a, (b, c) = 1, [2, 3] %}{{ a }}{{ b }}{{ c }}", "123"},
      {"{% set n = namespace(x=1) %}{% set n.x = n.x + 1 %}{{ n.x }}", "2"},
      {"{% set n = namespace() %}{% set n.y = 5 %}{{ n.y }}", "5"},
      {"{% set a, b = 'xy' %}{{ b }}{{ a }}", "yx"},
  });
}

TEST(Statements, BlocksAreTextThroughFilters) {
  expect_renders({
      {"{% set t %}a{{ 1 }}{% endset %}{{ t|upper }}", "A1"},
      {"{% set t | upper | replace('A', 'b') %}aa{% endset %}{{ t }}", "bb"},
      {"{% filter upper %}a{{ 'b' }}{% endfilter %}", "AB"},
      {"{% filter replace('a', 'b')|upper %}aac{% endfilter %}", "BBC"},
      {"{% set t %}{% endset %}[{{ t }}]", "[]"},
  });
}

TEST(Statements, BlocksHaveTheirOwnVariables) {
  expect_renders({
      {"{% set x = 1 %}{% with x = 2, y = x %}{{ x }}{{ y }}{% endwith %}{{ x }}", "211"},
      {"{% set x = 1 %}{% if 1 %}{% set x = 2 %}{% endif %}{{ x }}", "2"},
      {"{% set t %}{% set x = 1 %}{% endset %}{{ x is defined }}", "False"},
      {"{% filter upper %}{% set x = 1 %}{% endfilter %}{{ x is defined }}", "False"},
      {"{% with %}{% set q = 1 %}{{ q }}{% endwith %}{{ q is defined }}", "1False"},
  });
}

TEST(Statements, CallBlocksGiveTheirBodyToTheMacro) {
  expect_renders({
      {"{% macro m() %}<{{ caller() }}>{% endmacro %}{% call m() %}x{% endcall %}", "<x>"},
      {"{% macro m(a) %}{{ caller(a) }}{{ caller(2) }}{% endmacro %}{% call(v) m(1) %}[{{ v }}]{% endcall %}",
       "[1][2]"},
      {"{% set y = 1 %}{% macro m() %}{{ caller() }}{% endmacro %}{% call m() %}{{ y }}{% endcall %}", "1"},
  });
}

TEST(Statements, FailuresNameTheCause) {
  expect_failures({
      {"{% set a, b = [1] %}", "cannot unpack 1 values into 2 names"},
      {"{% set a, b = [1, 2, 3] %}", "cannot unpack 3 values into 2 names"},
      {"{% set a, b = 5 %}", "'int' object is not iterable"},
      {"{% set x = 1 %}{% set x.y = 2 %}", "cannot assign attribute on non-namespace object"},
      {"{% set x.y = 2 %}", "cannot assign attribute on non-namespace object"},
      {"{% filter nope %}x{% endfilter %}", "No filter named 'nope'"},
      {"{% macro m() %}{% endmacro %}{% call m() %}{% endcall %}", "takes no keyword argument 'caller'"},
  });
}

}  // namespace
}  // namespace parley::orchestration::jinja
