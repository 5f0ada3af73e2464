// map, select, reject and their attribute forms. Expected texts are those of Python's jinja2.

#include <gtest/gtest.h>

#include "orchestration/jinja/filters.h"
#include "tests/orchestration/jinja/render_helper.h"

namespace parley::orchestration::jinja {
namespace {

TEST(SelectionFilters, MapAppliesAFilterOrTakesAnAttribute) {
  expect_renders({
      {"{{ ['a', 'b']|map('upper')|list }}", "['A', 'B']"},
      {"{{ ['aXb']|map('replace', 'X', '-')|list }}", "['a-b']"},
      {"{{ [{'n': 1}, {'n': 2}]|map(attribute='n')|list }}", "[1, 2]"},
      {"{{ [{'n': {'m': [7]}}]|map(attribute='n.m.0')|list }}", "[7]"},
      {"{{ [{'n': 1}, {}]|map(attribute='n', default='d')|list }}", "[1, 'd']"},
      {"{{ [[1, 2], [3, 4]]|map(attribute=1)|list }}", "[2, 4]"},
      {"{{ ['a', 'b']|map('upper')|join }}", "AB"},
      {"{{ none|map('upper')|list }}", "[]"},
      {"{{ []|map('upper')|list }}", "[]"},
  });
}

TEST(SelectionFilters, SelectKeepsWhatPasses) {
  expect_renders({
      {"{{ [1, 2, 3]|select('odd')|list }}", "[1, 3]"},
      {"{{ [0, 1, '', 'a', none]|select|list }}", "[1, 'a']"},
      {"{{ [1, 2, 3]|select('gt', 1)|list }}", "[2, 3]"},
      {"{{ [1, none]|select('none')|list }}", "[None]"},
      {"{{ [1, 'a']|select('string')|list }}", "['a']"},
      {"{{ missing|select('odd')|list }}", "[]"},
  });
}

TEST(SelectionFilters, RejectKeepsTheOthers) {
  expect_renders({
      {"{{ [1, 2, 3]|reject('odd')|list }}", "[2]"},
      {"{{ [0, 1, '', 'a']|reject|list }}", "[0, '']"},
      {"{{ [1, 2, 3]|reject('in', [1, 2])|list }}", "[3]"},
  });
}

TEST(SelectionFilters, AttributesAreTested) {
  expect_renders({
      {"{{ [{'a': 1, 'n': 'x'}, {'a': 0, 'n': 'y'}]|selectattr('a')|map(attribute='n')|list }}", "['x']"},
      {"{{ [{'a': 1}, {'a': 2}]|selectattr('a', 'eq', 2)|list }}", "[{'a': 2}]"},
      {"{{ [{'a': 1}, {}]|selectattr('a', 'defined')|list }}", "[{'a': 1}]"},
      {"{{ [{'a': 1}, {}]|rejectattr('a', 'defined')|list }}", "[{}]"},
      {"{{ [{'a': 1}, {'a': 0}]|rejectattr('a')|list }}", "[{'a': 0}]"},
      {"{{ [{'a': {'b': 1}}]|selectattr('a.b')|list|length }}", "1"},
      {"{{ none|selectattr('x')|list }}", "[]"},
  });
}

TEST(SelectionFilters, AreUsedUpOnce) {
  expect_renders({
      {"{% set g = [1, 2]|select %}{{ g|list }}{{ g|list }}", "[1, 2][]"},
      {"{% set g = [1, 2]|map('string') %}{% for x in g %}{{ x }}{% endfor %}{% for x in g %}{{ x }}{% "
       "endfor %}",
       "12"},
  });
}

TEST(SelectionFilters, FailuresNameTheCause) {
  expect_failures({
      {"{{ [1]|map|list }}", "map requires a filter argument"},
      {"{{ [1]|map('nope')|list }}", "No filter named 'nope'"},
      {"{{ [1]|map(attribute='a', nope=1)|list }}", "Unexpected keyword argument 'nope'"},
      {"{{ [1]|select('nope')|list }}", "No test named 'nope'"},
      {"{{ [1]|selectattr()|list }}", "Missing parameter for attribute name"},
      {"{{ 5|select|list }}", "'int' object is not iterable"},
      {"{{ [1]|map(2)|list }}", "the name of a filter or test is text"},
  });
}

}  // namespace
}  // namespace parley::orchestration::jinja
