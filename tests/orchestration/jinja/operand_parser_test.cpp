// Literals, brackets, and what may follow them. Expected texts are those of Python's jinja2.

#include "orchestration/jinja/operand_parser.h"

#include <gtest/gtest.h>

#include "tests/orchestration/jinja/render_helper.h"

namespace parley::orchestration::jinja {
namespace {

TEST(OperandParser, ReadsLiterals) {
  expect_renders({
      {"{{ 1, 1.5, 1e3, 0x1F, 1_000 }}", "(1, 1.5, 1000.0, 31, 1000)"},
      {"{{ true, True, false, False, none, None }}", "(True, True, False, False, None, None)"},
      {R"({{ 'a' "b" 'c' }})", "abc"},
      {"{{ [], [1], [1, 2,] }}", "([], [1], [1, 2])"},
      {"{{ {}, {'a': 1}, {'a': 1, 2: 'b',} }}", "({}, {'a': 1}, {'a': 1, 2: 'b'})"},
      {"{{ (), (1,), ((1)) }}", "((), (1,), 1)"},
  });
}

TEST(OperandParser, FollowsNamesItemsAndCalls) {
  expect_renders({
      {"{{ {'a': {'b': [1, [2, 3]]}}.a.b[1][0] }}", "2"},
      {"{{ 'a,b'.split(',')[1].upper() }}", "B"},
      {"{{ [[1, 2], [3]].0.1 }}", "2"},
      {"{{ {'x y': 1}['x y'] }}", "1"},
      {"{{ range(3)[1] }}", "1"},
      {"{{ 'abc'.upper()[1:][::-1] }}", "CB"},
  });
}

TEST(OperandParser, SlicesWithAnyBoundLeftOut) {
  expect_renders({
      {"{{ 'abcdef'[:] }}", "abcdef"},
      {"{{ 'abcdef'[2:] }}", "cdef"},
      {"{{ 'abcdef'[:2] }}", "ab"},
      {"{{ 'abcdef'[::2] }}", "ace"},
      {"{{ 'abcdef'[1:5:2] }}", "bd"},
      {"{{ 'abcdef'[4::-2] }}", "eca"},
      {"{{ 'abcdef'[:-1] }}", "abcde"},
  });
}

TEST(OperandParser, FiltersBindTighterThanOperators) {
  expect_renders({
      {"{{ 1 + '2'|int }}", "3"},
      {"{{ -1|abs }}", "1"},
      {"{{ -(1|abs) }}", "-1"},
      {"{{ 'a'|upper ~ 'b'|upper }}", "AB"},
      {"{{ [1, 2]|length + 1 }}", "3"},
      {"{{ 'ab'|list|last }}", "b"},
      {"{{ ('a' ~ 'b')|upper }}", "AB"},
      {"{{ 'x'|upper()|lower }}", "x"},
  });
}

TEST(OperandParser, TestsTakeOneOperandOrBrackets) {
  expect_renders({
      {"{{ 4 is divisibleby 2 }}", "True"},
      {"{{ 4 is divisibleby(3) }}", "False"},
      {"{{ 1 is not none }}", "True"},
      {"{{ 1 is defined and 2 is defined }}", "True"},
      {"{{ 'a' is in ['a'] }}", "True"},
      {"{{ 3 is not divisibleby 2 }}", "True"},
      {"{{ 1 is eq 1 or false }}", "True"},
      {"{{ none is none }}", "True"},
      {"{{ 2 is in [1, 2] and 1 }}", "1"},
      {"{{ 1 is defined == true }}", "True"},
  });
}

TEST(OperandParser, ArgumentsMayBeNamedAndUnpacked) {
  expect_renders({
      {"{{ dict(a=1, b=2) }}", "{'a': 1, 'b': 2}"},
      {"{{ range(*[1, 4])|list }}", "[1, 2, 3]"},
      {"{{ dict(**{'a': 1}) }}", "{'a': 1}"},
      {"{{ dict([('x', 1)], y=2,) }}", "{'x': 1, 'y': 2}"},
      {"{{ '{} {x}'.format(1, x=2) }}", "1 2"},
      {"{{ range(1, *[5, 2])|list }}", "[1, 3]"},
  });
}

TEST(OperandParser, RefusesWhatIsNoOperand) {
  expect_failures({
      {"{{ .5 }}", "expected an expression"},
      {"{{ [1, 2 }}", "unexpected"},
      {"{{ {1} }}", "expected ':'"},
      {"{{ f(a=1, 2) }}", "a positional argument follows keyword arguments"},
      {"{{ x. }}", "expected a name"},
      {"{{ x| }}", "expected a name"},
      {"{{ x is }}", "expected a name"},
      {"{{ 1 is none is none }}", "tests cannot follow each other"},
      {"{{ x[] }}", "expected an expression"},
      {"{{ f(,) }}", "expected an expression"},
  });
}

}  // namespace
}  // namespace parley::orchestration::jinja
