// Methods of str. Expected texts are those of Python's jinja2.

#include <gtest/gtest.h>

#include "orchestration/jinja/methods.h"
#include "tests/orchestration/jinja/render_helper.h"

namespace parley::orchestration::jinja {
namespace {

TEST(TextMethods, StripTheSidesAsked) {
  expect_renders({
      {"{{ '  a '.strip() ~ '|' }}", "a|"},
      {"{{ '  a '.lstrip() ~ '|' ~ '  a '.rstrip() ~ '|' }}", "a |  a|"},
      {"{{ 'xyaxy'.strip('yx'), 'xyaxy'.lstrip('x'), 'xyaxy'.rstrip('y') }}", "('a', 'yaxy', 'xyax')"},
      {"{{ 'a'.strip(none), ''.strip(), 'aaa'.strip('a'), 'ab'.strip('') }}", "('a', '', '', 'ab')"},
      {"{{ 'éaé'.strip('é') }}", "a"},
  });
}

TEST(TextMethods, KnowAffixes) {
  expect_renders({
      {"{{ 'abc'.startswith('ab'), 'abc'.startswith(''), 'abc'.startswith('b', 1), 'abc'.startswith(('x', "
       "'a')) }}",
       "(True, True, True, True)"},
      {"{{ 'abc'.endswith('bc'), 'abc'.endswith(('x', 'y')), 'abc'.endswith('b', 0, 2), 'éa'.startswith('a', "
       "1) }}",
       "(True, False, True, True)"},
      {"{{ 'a.txt'.removesuffix('.txt'), 'a.txt'.removesuffix('.py'), 'a-b'.removeprefix('a-'), "
       "'a'.removeprefix(''), 'ab'.removesuffix('') }}",
       "('a', 'a.txt', 'b', 'a', 'ab')"},
  });
}

TEST(TextMethods, FindAndCount) {
  expect_renders({
      {"{{ 'abcabc'.find('c'), 'abcabc'.find('c', 3), 'abc'.find('x'), 'abc'.find(''), 'éab'.find('a') }}",
       "(2, 5, -1, 0, 1)"},
      {"{{ 'abcabc'.rfind('c'), 'abc'.rfind('x'), 'abc'.rfind(''), 'ééa'.rfind('é') }}", "(5, -1, 3, 1)"},
      {"{{ 'abc'.index('b'), 'abc'.count('b'), 'aaaa'.count('aa'), 'aéb'.count('') }}", "(1, 1, 2, 4)"},
  });
}

TEST(TextMethods, ChangeCase) {
  expect_renders({
      {"{{ 'aB é'.upper(), 'aB É'.lower(), 'aB cD'.capitalize() }}", "('AB É', 'ab é', 'Ab cd')"},
      {R"({{ "they're bill's".title(), 'éa 3d'.title(), 'ﬁ ß'.upper(), 'ΑΣ ΑΣΑ'.lower() }})",
       "(\"They'Re Bill'S\", 'Éa 3D', 'FI SS', 'ας ασα')"},
      {"{{ 'ab'.casefold() }}", "ab"},
      {"{{ 'ǆ'.title(), 'ǆ'.capitalize(), ''.title() }}", "('ǅ', 'ǅ', '')"},
  });
}

TEST(TextMethods, ReplaceAndJoin) {
  expect_renders({
      {"{{ 'aaa'.replace('a', 'b'), 'aaa'.replace('a', 'b', 2), 'aa'.replace('aa', ''), 'ab'.replace('', "
       "'-') }}",
       "('bbb', 'bba', '', '-a-b-')"},
      {"{{ 'ab'.replace('', '-', 2), 'abc'.replace('x', 'y'), 'a'.replace('a', 'b', 0) }}",
       "('-a-b', 'abc', 'a')"},
      {"{{ ', '.join(['a', 'b']), ''.join('abc'), '-'.join({'a': 1, 'b': 2}), '-'.join([]) }}",
       "('a, b', 'abc', 'a-b', '')"},
  });
}

TEST(TextMethods, PadToAWidth) {
  expect_renders({
      {"{{ 'mid'.center(8) ~ '|', 'mid'.center(9, '*'), 'ab'.center(5, '*'), 'abc'.center(2), ''.center(3, "
       "'-') }}",
       "('  mid   |', '***mid***', '**ab*', 'abc', '---')"},
      {"{{ 'a'.ljust(3, '.'), 'a'.rjust(3, '.'), 'é'.rjust(3, '€'), 'abc'.ljust(-1) }}",
       "('a..', '..a', '€€é', 'abc')"},
      {"{{ '42'.zfill(5), '-42'.zfill(5), '+4'.zfill(4), 'a'.zfill(3), ''.zfill(2), '-'.zfill(3) }}",
       "('00042', '-0042', '+004', '00a', '00', '-00')"},
  });
}

TEST(TextMethods, FailuresNameTheCause) {
  expect_failures({
      {"{{ 'a'.replace('a', 1) }}", "must be str, not int"},
      {"{{ 'a'.replace('a') }}", "str.replace() needs the argument 'new'"},
      {"{{ 'a'.startswith(1) }}", "must be str, not int"},
      {"{{ 'a'.index('b') }}", "substring not found"},
      {"{{ ','.join([1]) }}", "must be str, not int"},
      {"{{ 'a'.center(5, 'ab') }}", "exactly one character long"},
      {"{{ 'a'.center('b') }}", "needs an integer, not 'str'"},
      {"{{ 'a'.upper(1) }}", "takes at most 0 arguments"},
      {"{{ 'a'.strip(1) }}", "must be str, not int"},
      {"{{ 'a'.removesuffix() }}", "str.removesuffix() needs the argument"},
      {"{{ 'a'.removeprefix() }}", "str.removeprefix() needs the argument"},
  });
}

}  // namespace
}  // namespace parley::orchestration::jinja
