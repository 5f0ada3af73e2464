// Loops and the jumps out of them. Expected texts are those of Python's jinja2.

#include <gtest/gtest.h>

#include "orchestration/jinja/statements.h"
#include "tests/orchestration/jinja/render_helper.h"

namespace parley::orchestration::jinja {
namespace {

TEST(ForStatement, WalksWhatCanBeIterated) {
  expect_renders({
      {"{% for x in [1, 2] %}{{ x }},{% endfor %}", "1,2,"},
      {"{% for x in (1, 2) %}{{ x }}{% endfor %}", "12"},
      {"{% for c in 'aé' %}[{{ c }}]{% endfor %}", "[a][é]"},
      {"{% for k in {'a': 1, 'b': 2} %}{{ k }}{% endfor %}", "ab"},
      {"{% for k, v in {'a': 1}.items() %}{{ k }}{{ v }}{% endfor %}", "a1"},
      {"{% for a, (b, c) in [(1, (2, 3))] %}{{ a }}{{ b }}{{ c }}{% endfor %}", "123"},
      {"{% for x in [1, 2]|map('string') %}{{ x }}{% endfor %}", "12"},
  });
}

TEST(ForStatement, ElseIsForNoItems) {
  expect_renders({
      {"{% for x in [] %}x{% else %}none{% endfor %}", "none"},
      {"{% for x in missing %}x{% else %}none{% endfor %}", "none"},
      {"{% for x in [1] if x > 1 %}x{% else %}none{% endfor %}", "none"},
      {"{% for x in [1] %}{{ x }}{% else %}none{% endfor %}", "1"},
      {"{% for x in [1] %}{% break %}{% else %}none{% endfor %}", "none"},
      {"{% for x in [1, 2] %}{% if x == 2 %}{% break %}{% endif %}{{ x }}{% else %}none{% endfor %}", "1"},
      {"{% for x in [1, 2] %}{% if x == 1 %}{% continue %}{% endif %}{{ x }}{% else %}none{% endfor %}", "2"},
  });
}

TEST(ForStatement, ConditionsChooseItemsBeforeTheyAreCounted) {
  expect_renders({
      {"{% for x in [1, 2, 3, 4] if x % 2 == 0 %}{{ x }}:{{ loop.index }}/{{ loop.length }} {% endfor %}",
       "2:1/2 4:2/2 "},
      {"{% for x in [1, 2, 3] if x != 2 %}{{ x }}{{ '-' if not loop.last }}{% endfor %}", "1-3"},
  });
}

TEST(ForStatement, JumpsConcernTheInnermostLoop) {
  expect_renders({
      {"{% for x in [1, 2, 3] %}{% if x == 2 %}{% continue %}{% endif %}{{ x }}{% endfor %}", "13"},
      {"{% for x in [1, 2, 3] %}{% if x == 2 %}{% break %}{% endif %}{{ x }}{% endfor %}", "1"},
      {"{% for x in [1, 2] %}{% for y in [1, 2, 3] %}{% if y == 2 %}{% break %}{% endif %}{{ x }}{{ y }} {% "
       "endfor %}{% endfor %}",
       "11 21 "},
      {"{% for x in [1, 2] %}{% with y = x %}{% continue %}{% endwith %}{{ x }}{% else %}none{% endfor %}.",
       "none."},
  });
}

TEST(ForStatement, VariablesEndWithTheirRound) {
  expect_renders({
      {"{% for x in [1, 2] %}{{ y is defined }}{% set y = x %}{% endfor %}{{ y is defined }}{{ x is defined "
       "}}",
       "FalseFalseFalseFalse"},
      {"{% set x = 9 %}{% for x in [1] %}{{ x }}{% endfor %}{{ x }}", "19"},
      {"{% for x in [1, 2] %}{% for x in [3] %}{{ x }}{% endfor %}{{ x }}{% endfor %}", "3132"},
      {"{% for x in [] %}{% else %}{% set z = 1 %}{% endfor %}{{ z is defined }}", "False"},
  });
}

TEST(ForStatement, RefusesWhatCannotBeWalked) {
  expect_failures({
      {"{% for x in 5 %}{% endfor %}", "'int' object is not iterable"},
      {"{% for x in none %}{% endfor %}", "'NoneType' object is not iterable"},
      {"{% for a, b in [[1]] %}{% endfor %}", "cannot unpack 1 values into 2 names"},
      {"{% for a, b in [1] %}{% endfor %}", "'int' object is not iterable"},
  });
}

}  // namespace
}  // namespace parley::orchestration::jinja
