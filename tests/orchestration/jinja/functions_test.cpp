// The functions that every template may call. Expected texts are those of Python's jinja2.

#include "orchestration/jinja/functions.h"

#include <gtest/gtest.h>

#include "tests/orchestration/jinja/render_helper.h"

namespace parley::orchestration::jinja {
namespace {

TEST(Functions, RangeCountsAsInPython) {
  expect_renders({
      {"{{ range(5)|list }}", "[0, 1, 2, 3, 4]"},
      {"{{ range(2, 8, 3)|list }}", "[2, 5]"},
      {"{{ range(5, 0, -2)|list }}", "[5, 3, 1]"},
      {"{{ range(3, 1)|list }}", "[]"},
      {"{{ range(0)|list }}", "[]"},
      {"{{ range(-2)|list }}", "[]"},
      {"{{ range(3)|length }}", "3"},
      {"{{ range(1, 2)|first }}", "1"},
  });
}

TEST(Functions, DictTakesPairsMappingsAndNames) {
  expect_renders({
      {"{{ dict() }}", "{}"},
      {"{{ dict(a=1) }}", "{'a': 1}"},
      {"{{ dict({'a': 1}, b=2) }}", "{'a': 1, 'b': 2}"},
      {"{{ dict([('a', 1), ['b', 2]]) }}", "{'a': 1, 'b': 2}"},
      {"{{ dict({'a': 1}, a=2) }}", "{'a': 2}"},
      {"{{ dict(['xy']) }}", "{'x': 'y'}"},
      {"{{ dict({1: 2}) }}", "{1: 2}"},
  });
}

TEST(Functions, NamespacesCanBeChanged) {
  expect_renders({
      {"{% set n = namespace({'a': 1}, b=2) %}{{ n.a }}{{ n.b }}", "12"},
      {"{% set n = namespace(a=1) %}{% for i in [1, 2] %}{% set n.a = n.a + i %}{% endfor %}{{ n.a }}", "4"},
      {"{{ namespace(a=1).b is defined }}", "False"},
      {"{% set n = namespace() %}{{ n is callable }}{{ n is mapping }}", "FalseFalse"},
  });
}

TEST(Functions, JoinerIsEmptyTheFirstTime) {
  expect_renders({
      {"{% set j = joiner() %}{{ j() }}a{{ j() }}b{{ j() }}c", "a, b, c"},
      {"{% set j = joiner('|') %}{% for i in [1, 2] %}{{ j() }}{{ i }}{% endfor %}", "1|2"},
  });
}

TEST(Functions, RefusesBadArguments) {
  expect_failures({
      {"{{ range(1, 2, 0) }}", "range() arg 3 must not be zero"},
      {"{{ range('a') }}", "range() needs an integer, not 'str'"},
      {"{{ range() }}", "range() needs the argument 'start'"},
      {"{{ range(100001) }}", "Range too big"},
      {"{{ dict(1) }}", "'int' object is not iterable"},
      {"{{ dict([1]) }}", "'int' object is not iterable"},
      {"{{ dict([[1]]) }}", "dict() takes pairs of key and value"},
      {"{{ dict([[[], 1]]) }}", "unhashable type: 'list'"},
      {"{{ dict({}, {}) }}", "dict expected at most 1 argument"},
      {"{{ raise_exception('my words') }}", "refuses this conversation: my words"},
  });
}

TEST(Functions, RangeEndsWhereIntegersDo) {
  EXPECT_EQ(render_text("{{ range(9223372036854775806, 9223372036854775807) }}"), "[9223372036854775806]");
  EXPECT_EQ(render_text("{{ range(-9223372036854775807, -9223372036854775807 - 1, -1)|length }}"), "1");
  EXPECT_EQ(render_text("{{ range(9223372036854775800, 9223372036854775807, 5)|length }}"), "2");
}

TEST(Functions, UnknownOnesDoNotExist) {
  EXPECT_EQ(find_function("open"), nullptr);
  EXPECT_EQ(find_function(""), nullptr);
  EXPECT_NE(find_function("range"), nullptr);
}

}  // namespace
}  // namespace parley::orchestration::jinja
