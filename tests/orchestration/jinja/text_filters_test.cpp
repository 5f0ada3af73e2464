// Filters that make text. Expected texts are those of Python's jinja2.

#include <gtest/gtest.h>

#include "orchestration/jinja/filters.h"
#include "tests/orchestration/jinja/render_helper.h"

namespace parley::orchestration::jinja {
namespace {

TEST(TextFilters, TrimAndReplace) {
  expect_renders({
      {"{{ '  a '|trim ~ '|', 'xxaxx'|trim('x'), 5|trim, missing|trim ~ '|' }}", "('a|', 'a', '5', '|')"},
      {"{{ 'aaa'|replace('a', 'b'), 'aaa'|replace('a', 'b', 2), 42|replace('4', 'x'), 'aa'|replace('a', 'b', "
       "none) }}",
       "('bbb', 'bba', 'x2', 'bb')"},
  });
}

TEST(TextFilters, ChangeCase) {
  expect_renders({
      {"{{ 'aB é'|upper, 'aB É'|lower, 'aB cD'|capitalize, 5|upper }}", "('AB É', 'ab é', 'Ab cd', '5')"},
      {R"({{ "foo-bar (baz) [qux] <a> {b} o'neil 3d"|title }})", "Foo-Bar (Baz) [Qux] <A> {B} O'neil 3d"},
      {"{{ 'éA ǆ'|title, 'ΑΣ'|lower, true|lower }}", "('Éa Ǆ', 'ας', 'true')"},
  });
}

TEST(TextFilters, Join) {
  expect_renders({
      {"{{ ['a', 1, none]|join('-'), [1, 2]|join, 'abc'|join('.'), []|join('x'), missing|join(',') }}",
       "('a-1-None', '12', 'a.b.c', '', '')"},
      {"{{ [{'n': 1}, {'n': 2}]|join(', ', attribute='n'), [1, 2]|join(d='|') }}", "('1, 2', '1|2')"},
  });
}

TEST(TextFilters, Indent) {
  expect_renders({
      {R"({{ 'a\nb\n\nc'|indent }})", "a\n    b\n\n    c"},
      {R"({{ 'a\nb'|indent(2, true) }})", "  a\n  b"},
      {R"({{ 'a\n\nb'|indent(width=2, blank=true) }})", "a\n  \n  b"},
      {R"({{ 'a\nb'|indent('> ') }})", "a\n> b"},
      {R"({{ 'a\nb\n'|indent(1) }})", "a\n b\n"},
      {"{{ ''|indent(3, true) ~ '|' }}", "   |"},
      {"{{ 'a'|indent(2, first=true) }}", "  a"},
      {R"({{ 'a\r\nb'|indent(1) }})", "a\n b"},
  });
}

TEST(TextFilters, Escape) {
  expect_renders({
      {R"({{ '<a href="x">\'&'|e }})", "&lt;a href=&#34;x&#34;&gt;&#39;&amp;"},
      {"{{ '<'|escape }}", "&lt;"},
      {"{{ '<'|forceescape }}", "&lt;"},
      {"{{ '<b>'|safe }}", "<b>"},
      {"{{ 5|e }}", "5"},
  });
}

TEST(TextFilters, Format) {
  expect_renders({
      {"{{ '%s-%d'|format('a', 1), '%(x)s'|format(x=1), 'plain'|format() }}", "('a-1', '1', 'plain')"},
      {"{{ 'mid'|center(9) ~ '|', 'ab'|center(5) ~ '|', 'a'|center|length }}",
       "('   mid   |', '  ab |', 80)"},
      {R"({{ 'a b  c'|wordcount, ''|wordcount, "it's a-b_c"|wordcount, 'é 漢字'|wordcount }})",
       "(3, 0, 4, 2)"},
      {"{{ 1.0|string, none|string, [1, 'a']|string, 'x'|string }}", "('1.0', 'None', \"[1, 'a']\", 'x')"},
  });
}

TEST(TextFilters, FailuresNameTheCause) {
  expect_failures({
      {"{{ 'a'|replace('b') }}", "replace needs the argument 'new'"},
      {"{{ 5|join }}", "'int' object is not iterable"},
      {"{{ 'a'|upper(1) }}", "takes at most 0 arguments"},
      {"{{ '%s'|format(1, x=2) }}", "positional or keyword arguments, not both"},
      {"{{ 'a'|center('b') }}", "center needs an integer, not 'str'"},
      {"{{ 5|indent }}", "indent needs text, not 'int'"},
  });
}

}  // namespace
}  // namespace parley::orchestration::jinja
