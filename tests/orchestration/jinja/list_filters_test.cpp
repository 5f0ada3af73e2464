// Filters that make lists or pick items. Expected texts are those of Python's jinja2.

#include <gtest/gtest.h>

#include "orchestration/jinja/filters.h"
#include "tests/orchestration/jinja/render_helper.h"

namespace parley::orchestration::jinja {
namespace {

TEST(ListFilters, ListsOfWhatCanBeWalked) {
  expect_renders({
      {"{{ 'abc'|list, {'a': 1}|list, (1, 2)|list, missing|list }}", "(['a', 'b', 'c'], ['a'], [1, 2], [])"},
      {"{{ {'a': 1, 'b': 2}|items|list, missing|items|list }}", "([('a', 1), ('b', 2)], [])"},
      {"{{ [1, 2, 3]|reverse|list, 'abc'|reverse, (1, 2)|reverse|list }}", "([3, 2, 1], 'cba', [2, 1])"},
  });
}

TEST(ListFilters, PickEnds) {
  expect_renders({
      {"{{ [1, 2]|first, [1, 2]|last, 'abc'|first, 'abc'|last, 'é'|first }}", "(1, 2, 'a', 'c', 'é')"},
      {"{{ []|first is defined, ''|last is defined, {'a': 1}|first }}", "(False, False, 'a')"},
  });
}

TEST(ListFilters, SortStably) {
  expect_renders({
      {"{{ [3, 1, 2]|sort, [3, 1, 2]|sort(reverse=true), 'bca'|sort }}",
       "([1, 2, 3], [3, 2, 1], ['a', 'b', 'c'])"},
      {"{{ ['b', 'A', 'a', 'B']|sort, ['b', 'A', 'a', 'B']|sort(case_sensitive=true) }}",
       "(['A', 'a', 'b', 'B'], ['A', 'B', 'a', 'b'])"},
      {"{{ [{'n': 2, 'k': 'a'}, {'n': 1, 'k': 'b'}, {'n': 2, 'k': "
       "'c'}]|sort(attribute='n')|map(attribute='k')|join }}",
       "bac"},
      {"{{ [{'n': 2, 'k': 'a'}, {'n': 1, 'k': 'b'}, {'n': 2, 'k': 'c'}]|sort(true, "
       "attribute='n')|map(attribute='k')|join }}",
       "acb"},
      {"{{ [{'a': 1, 'b': 2}, {'a': 1, 'b': 1}]|sort(attribute='a,b')|map(attribute='b')|join }}", "12"},
      {"{{ [[2, 'x'], [1, 'y']]|sort(attribute=0)|map('last')|join }}", "yx"},
      {"{{ [(1, 'b'), (1, 'a')]|sort }}", "[(1, 'a'), (1, 'b')]"},
  });
}

TEST(ListFilters, SortDicts) {
  expect_renders({
      {"{{ {'b': 1, 'A': 2}|dictsort, {'b': 1, 'A': 2}|dictsort(true) }}",
       "([('A', 2), ('b', 1)], [('A', 2), ('b', 1)])"},
      {"{{ {'b': 1, 'a': 2}|dictsort(by='value'), {'b': 1, 'a': 2}|dictsort(reverse=true) }}",
       "([('b', 1), ('a', 2)], [('b', 1), ('a', 2)])"},
  });
}

TEST(ListFilters, KeepTheFirstOfEqualItems) {
  expect_renders({
      {"{{ ['a', 'A', 'b', 'a']|unique|list, ['a', 'A']|unique(true)|list, [1, 1.0, true, 2]|unique|list }}",
       "(['a', 'b'], ['a', 'A'], [1, 2])"},
      {"{{ [{'k': 1, 'v': 'x'}, {'k': 1, 'v': 'y'}]|unique(attribute='k')|map(attribute='v')|list }}",
       "['x']"},
      {"{{ [none, none, 1]|unique|list, []|unique|list }}", "([None, 1], [])"},
  });
}

TEST(ListFilters, FindExtremes) {
  expect_renders({
      {"{{ [3, 1, 2]|min, [3, 1, 2]|max, ['b', 'A']|min, ['b', 'A']|max(true) }}", "(1, 3, 'A', 'b')"},
      {"{{ [{'n': 2}, {'n': 1}]|min(attribute='n'), [{'n': 2}, {'n': 1}]|max(attribute='n') }}",
       "({'n': 1}, {'n': 2})"},
      {"{{ []|min is defined, ['a', 'A']|max, ['A', 'a']|min }}", "(False, 'a', 'A')"},
  });
}

TEST(ListFilters, MakeBatches) {
  expect_renders({
      {"{{ [1, 2, 3]|batch(2)|list, [1, 2, 3]|batch(2, 'x')|list, [1, 2]|batch(2)|list, []|batch(2)|list }}",
       "([[1, 2], [3]], [[1, 2], [3, 'x']], [[1, 2]], [])"},
  });
}

TEST(ListFilters, FailuresNameTheCause) {
  expect_failures({
      {"{{ [1, 'a']|sort }}", "cannot be ordered"},
      {"{{ [[], {}]|max }}", "cannot be ordered"},
      {"{{ 5|list }}", "'int' object is not iterable"},
      {"{{ 5|items|list }}", "Can only get item pairs from a mapping"},
      {"{{ [1]|dictsort }}", "dictsort needs a mapping, not 'list'"},
      {"{{ {}|dictsort(by='x') }}", "You can only sort by either"},
      {"{{ [[]]|unique|list }}", "unhashable type: 'list'"},
      {"{{ [1]|batch }}", "batch needs the argument 'linecount'"},
      {"{{ [1]|max(1, 2, 3) }}", "max takes at most 2 arguments"},
      {"{{ [1]|min(1, 2, 3) }}", "min takes at most 2 arguments"},
  });
}

}  // namespace
}  // namespace parley::orchestration::jinja
