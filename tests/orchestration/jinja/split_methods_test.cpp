// str.split() and its relatives. Expected texts are those of Python's jinja2.

#include "orchestration/jinja/split_methods.h"

#include <gtest/gtest.h>

#include <random>
#include <string>

#include "orchestration/jinja/text_operations.h"
#include "tests/orchestration/jinja/random_text.h"
#include "tests/orchestration/jinja/render_helper.h"

namespace parley::orchestration::jinja {
namespace {

TEST(SplitMethods, SplitAtATextOrAtSpaces) {
  expect_renders({
      {"{{ 'a,b,,c'.split(',') }}", "['a', 'b', '', 'c']"},
      {"{{ 'a,b,c'.split(',', 1), 'a,b,c'.split(',', maxsplit=0), 'a,b'.split(',', -1) }}",
       "(['a', 'b,c'], ['a,b,c'], ['a', 'b'])"},
      {"{{ ''.split(','), ''.split(), '  '.split() }}", "([''], [], [])"},
      {R"({{ ' a  b '.split(), ' a  b c '.split(none, 1), 'a\u00a0b\u3000c'.split() }})",
       "(['a', 'b'], ['a', 'b c '], ['a', 'b', 'c'])"},
      {"{{ 'a<>b<>c'.split('<>'), 'aaa'.split('aa'), 'éxé'.split('x') }}",
       "(['a', 'b', 'c'], ['', 'a'], ['é', 'é'])"},
  });
}

TEST(SplitMethods, SplitFromTheEnd) {
  expect_renders({
      {"{{ 'a,b,c'.rsplit(',', 1), 'a,b,c'.rsplit(','), 'abc'.rsplit('x') }}",
       "(['a,b', 'c'], ['a', 'b', 'c'], ['abc'])"},
      {"{{ ' a  b c '.rsplit(none, 1), ' a b '.rsplit(), 'a b c'.rsplit(none, 0) }}",
       "([' a  b', 'c'], ['a', 'b'], ['a b c'])"},
      {"{{ 'aaa'.rsplit('aa') }}", "['a', '']"},
  });
}

TEST(SplitMethods, SplitIntoLines) {
  expect_renders({
      {R"({{ 'a\nb\r\nc\rd'.splitlines() }})", "['a', 'b', 'c', 'd']"},
      {R"({{ 'a\n\nb\n'.splitlines(), ''.splitlines(), '\n'.splitlines() }})", "(['a', '', 'b'], [], [''])"},
      {R"({{ 'a\nb\r\n'.splitlines(true), 'a\nb'.splitlines(keepends=true) }})",
       "(['a\\n', 'b\\r\\n'], ['a\\n', 'b'])"},
  });
}

TEST(SplitMethods, PartitionInThree) {
  expect_renders({
      {"{{ 'a=b=c'.partition('='), 'a=b=c'.rpartition('=') }}", "(('a', '=', 'b=c'), ('a=b', '=', 'c'))"},
      {"{{ 'abc'.partition('x'), 'abc'.rpartition('x') }}", "(('abc', '', ''), ('', '', 'abc'))"},
      {"{{ '=a'.partition('='), 'a='.rpartition('='), 'a<>b'.partition('<>') }}",
       "(('', '=', 'a'), ('a', '=', ''), ('a', '<>', 'b'))"},
  });
}

TEST(SplitMethods, FailuresNameTheCause) {
  expect_failures({
      {"{{ 'a'.split('') }}", "empty separator"},
      {"{{ 'a'.rsplit('') }}", "empty separator"},
      {"{{ 'a'.partition('') }}", "empty separator"},
      {"{{ 'a'.partition() }}", "str.partition() needs the argument 'sep'"},
      {"{{ 'a'.split(1) }}", "must be str or None, not int"},
      {"{{ 'a'.split('b', 'c') }}", "needs an integer, not 'str'"},
  });
}

class SplitMethodsTest : public testing::Test {
 protected:
  RenderLimits limits_ = {.max_steps = 100'000'000, .max_memory_bytes = std::size_t{1} << 30};
  Interpreter interpreter_{"", limits_, {}};
};

TEST_F(SplitMethodsTest, JoiningWhatWasSplitGivesTheTextBack) {
  std::mt19937 random(2);
  for (int i = 0; i < 500; ++i) {
    const Text text(random_text(random, 30), 1);
    const Text separator("a" + random_text(random, 1), 2);
    const Arguments arguments = {{separator, Value::integer(static_cast<std::int64_t>(random() % 5) - 1)},
                                 {}};
    for (const auto split : {text_split, text_rsplit}) {
      const Value parts = split(interpreter_, text, arguments);
      ASSERT_EQ(join(interpreter_, separator, parts.as_list()->items).view(), text.view());
    }
  }
}

TEST_F(SplitMethodsTest, SplittingAtSpacesDropsThemAll) {
  std::mt19937 random(3);
  for (int i = 0; i < 300; ++i) {
    const Text text(random_text(random, 30), 1);
    const Value parts = text_split(interpreter_, text, {});
    const Value same = text_rsplit(interpreter_, text, {});
    ASSERT_EQ(parts.as_list()->items.size(), same.as_list()->items.size());
    for (std::size_t k = 0; k < parts.as_list()->items.size(); ++k) {
      const std::string_view part = parts.as_list()->items[k].as_text().view();
      ASSERT_EQ(part, same.as_list()->items[k].as_text().view());
      ASSERT_EQ(part.find_first_of(" \n"), std::string_view::npos);
      ASSERT_FALSE(part.empty());
    }
  }
}

TEST_F(SplitMethodsTest, ReverseSearchFindsTheLast) {
  std::mt19937 random(4);
  for (int i = 0; i < 500; ++i) {
    const std::string text = random_text(random, 20);
    const std::string needle = "a" + random_text(random, 2);
    const ReverseSearch search(interpreter_, text, needle);
    for (std::size_t end = 0; end <= text.size(); ++end) {
      ASSERT_EQ(search.before(end), std::string_view(text).substr(0, end).rfind(needle));
    }
  }
}

}  // namespace
}  // namespace parley::orchestration::jinja
