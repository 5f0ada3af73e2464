// How calls give a macro its parameters. Expected texts are those of Python's jinja2.

#include "orchestration/jinja/macro.h"

#include <gtest/gtest.h>

#include "tests/orchestration/jinja/render_helper.h"

namespace parley::orchestration::jinja {
namespace {

TEST(Macro, TakesPositionsNamesAndDefaults) {
  expect_renders({
      {"{% macro m(a, b=2, c='z') %}{{ a }}{{ b }}{{ c }}{% endmacro %}{{ m(1) }}|{{ m(1, c='y') }}|{{ "
       "m(b=5, a=4) }}|{{ m() }}",
       "12z|12y|45z|2z"},
      {"{% macro m(a, b=a ~ '!') %}{{ b }}{% endmacro %}{{ m(1) }}{{ m(1, 2) }}", "1!2"},
      {"{% macro m(a) %}{{ a is defined }}{% endmacro %}{{ m() }}{{ m(none) }}", "FalseTrue"},
      {"{% macro m() %}x{% endmacro %}{{ m() }}{{ m() }}", "xx"},
  });
}

TEST(Macro, GivesTheRestToThoseThatUseIt) {
  expect_renders({
      {"{% macro m(a) %}{{ a }}{{ varargs }}{{ kwargs }}{% endmacro %}{{ m(1, 2, 3, x=4) }}",
       "1(2, 3){'x': 4}"},
      {"{% macro m() %}{{ varargs|length }}{% endmacro %}{{ m(1, 2) }}{{ m() }}", "20"},
      {"{% macro m() %}{{ kwargs }}{% endmacro %}{{ m(a=1) }}", "{'a': 1}"},
      {"{% macro m(a) %}{% for v in varargs %}{{ v }}{% endfor %}{% endmacro %}{{ m(1, 2, 3) }}", "23"},
  });
}

TEST(Macro, IsTextWithAName) {
  expect_renders({
      {"{% macro m() %} x {% endmacro %}[{{ m() }}]{{ m()|trim }}{{ m.name }}{{ m is callable }}",
       "[ x ]xmTrue"},
      {"{% macro m() %}{% endmacro %}{{ m() == '' }}{{ m() is string }}", "TrueTrue"},
      {"{% macro m(a) %}{{ a|upper }}{% endmacro %}{{ m('x') ~ m('y') }}", "XY"},
  });
}

TEST(Macro, SeesWhereItWasDefined) {
  expect_renders({
      {"{% set x = 1 %}{% macro m() %}{{ x }}{% endmacro %}{% set x = 2 %}{{ m() }}", "2"},
      {"{% macro m() %}{{ i is defined }}{% endmacro %}{% for i in [1] %}{{ m() }}{% endfor %}", "False"},
      {"{% macro f(n) %}{{ n }}{% if n > 0 %}{{ f(n - 1) }}{% endif %}{% endmacro %}{{ f(3) }}", "3210"},
      {"{% macro m() %}{% set x = 5 %}{% endmacro %}{% set x = 1 %}{{ m() }}{{ x }}", "1"},
  });
}

TEST(Macro, RefusesWhatItDoesNotTake) {
  expect_failures({
      {"{% macro m(a) %}{% endmacro %}{{ m(1, 2) }}", "macro 'm' takes not more than 1 argument(s)"},
      {"{% macro m(a) %}{% endmacro %}{{ m(b=2) }}", "macro 'm' takes no keyword argument 'b'"},
      {"{% macro m() %}{{ varargs }}{% endmacro %}{{ m(a=1) }}", "takes no keyword argument 'a'"},
  });
}

}  // namespace
}  // namespace parley::orchestration::jinja
