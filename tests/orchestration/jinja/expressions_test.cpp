// Values of literals, names, containers and look-ups. Expected texts are those of Python's jinja2.

#include "orchestration/jinja/expressions.h"

#include <gtest/gtest.h>

#include "tests/orchestration/jinja/render_helper.h"

namespace parley::orchestration::jinja {
namespace {

TEST(Expressions, ContainersHoldWhatTheirPartsAre) {
  expect_renders({
      {"{{ [1 + 1, 'a' ~ 'b', [none]] }}", "[2, 'ab', [None]]"},
      {"{{ {'a': 1 + 1, 'b': {}} }}", "{'a': 2, 'b': {}}"},
      {"{{ (1, 'a') }}", "(1, 'a')"},
      {"{{ {1: 'x', none: 'y', 1.0: 'z'} }}", "{1: 'z', None: 'y'}"},
      {"{{ {'a': 1, 'a': 2} }}", "{'a': 2}"},
      {"{{ [[], {}, ()] }}", "[[], {}, ()]"},
  });
}

TEST(Expressions, LookUpsFallThrough) {
  expect_renders({
      {"{{ {'a': 1}.a }}", "1"},
      {"{{ {'a': 1}['a'] }}", "1"},
      {"{{ {'a': 1}.b }}", ""},
      {"{{ [1, 2][5] }}", ""},
      {"{{ 'abc'[5] }}", ""},
      {"{{ none.x }}", ""},
      {"{{ {'items': 1}['items'] }}", "1"},
      {"{{ {'items': 1}.items is callable }}", "True"},
      {"{{ missing ~ 'x' }}", "x"},
  });
}

TEST(Expressions, ConditionalsEvaluateOneBranch) {
  expect_renders({
      {"{{ 1 if true else missing.x }}", "1"},
      {"{{ missing.x if false else 2 }}", "2"},
      {"{{ '' if '' else 'empty' }}", "empty"},
      {"{{ 1 if [] else 2 }}", "2"},
      {"{{ 1 if missing else 2 }}", "2"},
  });
}

TEST(Expressions, SlicesKeepTheKind) {
  expect_renders({
      {"{{ [1, 2, 3][1:] }}", "[2, 3]"},
      {"{{ (1, 2, 3)[1:] }}", "(2, 3)"},
      {"{{ 'abc'[1:] }}", "bc"},
      {"{{ [1, 2, 3][::-1] }}", "[3, 2, 1]"},
      {"{{ 'abc'['x':] is undefined, [1][1.5:] is undefined, [1][:none] }}", "(True, True, [1])"},
  });
}

TEST(Expressions, RefusesWhatCannotBeLookedUp) {
  expect_failures({
      {"{{ missing.x }}", "'missing' is undefined"},
      {"{{ {'a': 1}.b.c }}", "'dict object' has no attribute 'b'"},
      {"{{ {[1]: 2} }}", "unhashable type: 'list'"},
      {"{{ missing[1:] }}", "'missing' is undefined"},
      {"{{ [1][::0] }}", "slice step cannot be zero"},
      {"{{ [1][missing:] }}", "'missing' is undefined"},
      {"{{ 'abc'.startswith('a', 'b') }}", "slice indices must be integers"},
  });
}

}  // namespace
}  // namespace parley::orchestration::jinja
