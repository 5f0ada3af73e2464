// Methods of dict and list. Expected texts are those of Python's jinja2.

#include <gtest/gtest.h>

#include "orchestration/jinja/methods.h"
#include "tests/orchestration/jinja/render_helper.h"

namespace parley::orchestration::jinja {
namespace {

TEST(ContainerMethods, DictsGiveTheirParts) {
  expect_renders({
      {"{{ {'a': 1}.get('a'), {'a': 1}.get('b'), {'a': 1}.get('b', 2), {1: 'x'}.get(true) }}",
       "(1, None, 2, 'x')"},
      {"{{ {'a': 1, 'b': 2}.items()|list }}", "[('a', 1), ('b', 2)]"},
      {"{{ {'a': 1}.keys()|list, {'a': 1}.values()|list, {}.keys()|list }}", "(['a'], [1], [])"},
      {"{{ {'a': 1}.copy(), {'a': [1]}.copy().a }}", "({'a': 1}, [1])"},
      {"{{ {'get': 1}['get'] }}", "1"},
  });
}

TEST(ContainerMethods, ListsAreSearched) {
  expect_renders({
      {"{{ [1, 2, 1].count(1), [1, true].count(1), ['a'].count('b') }}", "(2, 2, 0)"},
      {"{{ [5, 6, 5].index(5), [5, 6].index(6), [[1]].index([1]) }}", "(0, 1, 0)"},
      {"{{ [1, 2].copy() }}", "[1, 2]"},
  });
}

TEST(ContainerMethods, FailuresNameTheCause) {
  expect_failures({
      {"{{ {}.get() }}", "dict.get() needs the argument 'key'"},
      {"{{ {}.get([]) }}", "unhashable type: 'list'"},
      {"{{ [1].index(2) }}", "the value is not in the list"},
      {"{{ [].nope() }}", "has no attribute 'nope'"},
      {"{{ {}.update({}) }}", "no attribute 'update'"},
  });
}

// The sandbox of transformers refuses these; templates for other engines use them on lists of their own.
TEST(ContainerMethods, ListsThatTheTemplateMadeCanChange) {
  expect_renders(
      {{"{% set l = [1] %}{% set _ = l.append(2) %}{{ l }}", "[1, 2]"},
       {"{% set l = [1, 2, 3] %}{{ l.pop() }}{{ l.pop(0) }}{{ l.pop(-1) }}{{ l }}", "312[]"},
       {"{% set l = [1] %}{% set c = l.copy() %}{% set _ = c.append(2) %}{{ l }}{{ c }}", "[1][1, 2]"}});
  expect_failures({{"{{ [].pop() }}", "pop index out of range"},
                   {"{{ [1].pop(1) }}", "pop index out of range"},
                   {"{{ [1].pop(-2) }}", "pop index out of range"},
                   {"{{ ([1]|map('string')).append(1) }}", "handed to the template"}});
}

}  // namespace
}  // namespace parley::orchestration::jinja
