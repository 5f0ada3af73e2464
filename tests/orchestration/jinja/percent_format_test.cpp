// `text % values` and str.format(). Expected texts are those of Python's jinja2.

#include "orchestration/jinja/percent_format.h"

#include <gtest/gtest.h>

#include "tests/orchestration/jinja/render_helper.h"

namespace parley::orchestration::jinja {
namespace {

TEST(PercentFormat, WritesTextInItsWidth) {
  expect_renders({
      {"{{ '%s' % 'x' }}", "x"},
      {"{{ '%5s|%-5s|%.2s' % ('ab', 'cd', 'efgh') }}", "   ab|cd   |ef"},
      {"{{ '%s %r' % ('x', 'y') }}", "x 'y'"},
      {"{{ '%r' % [['a']] }}", "[['a']]"},
      {"{{ '%s' % none }}", "None"},
      {"{{ '%s' % [1] }}", "[1]"},
      {"{{ '%4s|%-4s|' % ('é', '😀') }}", "   é|😀   |"},
      {"{{ '%c%c' % ('a', 233) }}", "aé"},
      {"{{ '%.1s' % 'éa' }}", "é"},
  });
}

TEST(PercentFormat, WritesNumbersAsC) {
  expect_renders({
      {"{{ '%d|%i|%u' % (1, 2, 3) }}", "1|2|3"},
      {"{{ '%5d|%-5d|%05d|%+d|% d' % (42, 42, 42, 42, 42) }}", "   42|42   |00042|+42| 42"},
      {"{{ '%x|%X|%o|%#x|%#o' % (255, 255, 8, 255, 8) }}", "ff|FF|10|0xff|0o10"},
      {"{{ '%#x|%#o|%#X|%#06x|%x|%+x|%-#6x|' % (0, 0, 255, 255, -255, 255, 15) }}",
       "0x0|0o0|0XFF|0x00ff|-ff|+ff|0xf   |"},
      {"{{ '%+.1f|% .1f|%08.3f|%+05d|%-+5d|% 05d|%5s' % (1.5, 1.5, -1.5, 7, 7, 7, 1.5) }}",
       "+1.5| 1.5|-001.500|+0007|+7   | 0007|  1.5"},
      {"{{ '%.0f|%#.0f|%f|%d|%.0e' % (2.5, 2.5, 1e20, -9223372036854775807, 0) }}",
       "2|2.|100000000000000000000.000000|-9223372036854775807|0e+00"},
      {"{{ '%f|%.2f|%8.3f|%-8.1f|' % (1.5, 2.675, 3.14159, 2.5) }}", "1.500000|2.67|   3.142|2.5     |"},
      {"{{ '%e|%E|%g|%G|%.3g' % (12345.678, 0.00012, 1e20, 1e-7, 1234.5) }}",
       "1.234568e+04|1.200000E-04|1e+20|1E-07|1.23e+03"},
      {"{{ '%05d|%06.1f' % (-42, -1.5) }}", "-0042|-001.5"},
      {"{{ '%d' % 3.99 }}", "3"},
      {"{{ '%d' % true }}", "1"},
      {"{{ '%.3d' % 7 }}", "007"},
      {"{{ '%5.1f%%' % 99.5 }}", " 99.5%"},
  });
}

TEST(PercentFormat, TakesKeysFromADict) {
  expect_renders({
      {"{{ '%(a)s-%(b)d' % {'a': 'x', 'b': 2} }}", "x-2"},
      {"{{ '%(a)s%(a)s' % {'a': 1, 'unused': 2} }}", "11"},
      {"{{ 'none' % {} }}", "none"},
      {"{{ '%(x y)s' % {'x y': 1} }}", "1"},
      {"{{ '%s' % {'a': 1} }}", "{'a': 1}"},
  });
}

TEST(PercentFormat, BracesTakePositionsAndNames) {
  expect_renders({
      {"{{ '{} {}'.format(1, 'a') }}", "1 a"},
      {"{{ '{1}{0}{1}'.format('a', 'b') }}", "bab"},
      {"{{ '{x}{y}'.format(x=1, y=2) }}", "12"},
      {"{{ '{{}}{}'.format(1) }}", "{}1"},
      {"{{ '{{{}}}'.format(1) }}", "{1}"},
      {"{{ 'no'.format(1, 2) }}", "no"},
      {"{{ '{}'.format(none) }}", "None"},
      {"{{ ''.format() }}", ""},
  });
}

TEST(PercentFormat, SaysWhatDoesNotFit) {
  expect_failures({
      {"{{ '%d' % 'a' }}", "a number is required, not str"},
      {"{{ '%s %s' % ('a',) }}", "not enough arguments"},
      {"{{ '%s' % ('a', 'b') }}", "not all arguments converted"},
      {"{{ '%' % 1 }}", "incomplete format"},
      {"{{ '%(a' % {} }}", "incomplete format key"},
      {"{{ '%(a)s' % {} }}", "key 'a' is missing"},
      {"{{ '%(a)s' % 1 }}", "format requires a mapping"},
      {"{{ '%y' % 1 }}", "unsupported format character 'y'"},
      {"{{ '{'.format() }}", "single brace"},
      {"{{ '}'.format() }}", "single brace"},
      {"{{ '{x}'.format() }}", "no value for the field 'x'"},
      {"{{ '{0}'.format() }}", "no value for the field '0'"},
  });
}

// Python can do these; a template that needs them is told so.
TEST(PercentFormat, RefusesWhatItDoesNotSupport) {
  expect_failures({{"{{ '{:>5}'.format(1) }}", "or does not support it"},
                   {"{{ '{0.x}'.format(1) }}", "or does not support it"},
                   {"{{ '%c' % -1 }}", "%c needs the number of a character, not -1"},
                   {"{{ '%c' % 1114112 }}", "not 1114112"},
                   {"{{ '%c' % 55296 }}", "not 55296"},
                   {"{{ '%10001d' % 1 }}", "the width of a format is too large"}});
}

}  // namespace
}  // namespace parley::orchestration::jinja
