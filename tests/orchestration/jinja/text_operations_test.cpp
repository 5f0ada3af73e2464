#include "orchestration/jinja/text_operations.h"

#include <gtest/gtest.h>

#include <random>
#include <string>

#include "orchestration/jinja/split_methods.h"
#include "tests/orchestration/jinja/render_helper.h"

namespace parley::orchestration::jinja {
namespace {

class TextOperations : public testing::Test {
 protected:
  RenderLimits limits_ = {.max_steps = 100'000'000, .max_memory_bytes = std::size_t{1} << 30};
  Interpreter interpreter_{"", limits_, {}};
};

std::string random_text(std::mt19937& random, std::size_t size) {
  static const std::string kPieces[] = {"a", "b", "ab", " ", "\n", "é", "😀", "\xff"};
  std::string text;
  for (std::size_t i = random() % (size + 1); i > 0; --i) text += kPieces[random() % 8];
  return text;
}

std::string replaced_obviously(std::string text, const std::string& from, const std::string& to) {
  for (std::size_t at = 0; (at = text.find(from, at)) != std::string::npos; at += to.size()) {
    text.replace(at, from.size(), to);
  }
  return text;
}

TEST_F(TextOperations, ReplaceIsThatOfTheTwin) {
  std::mt19937 random(1);
  for (int i = 0; i < 500; ++i) {
    const std::string text = random_text(random, 20);
    const std::string from = "a" + random_text(random, 1);
    const std::string to = random_text(random, 3);
    const Text result = replace(interpreter_, Text(text, 1), Text(from, 2), Text(to, 3), -1);
    ASSERT_EQ(result.view(), replaced_obviously(text, from, to));
  }
}

TEST_F(TextOperations, JoiningWhatWasSplitGivesTheTextBack) {
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

TEST_F(TextOperations, SplittingAtSpacesDropsThemAll) {
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

TEST_F(TextOperations, StripTakesFromTheSidesAsked) {
  const Text text("  x y \n", 1);
  EXPECT_EQ(strip(interpreter_, text, std::nullopt, Side::both).view(), "x y");
  EXPECT_EQ(strip(interpreter_, text, std::nullopt, Side::left).view(), "x y \n");
  EXPECT_EQ(strip(interpreter_, text, std::nullopt, Side::right).view(), "  x y");
  EXPECT_EQ(strip(interpreter_, Text("éxé", 1), Text("é", 0), Side::both).view(), "x");
  EXPECT_EQ(strip(interpreter_, Text("aaa", 1), Text("a", 0), Side::both).view(), "");
}

TEST_F(TextOperations, LinesEndWherePythonEndsThem) {
  const Text text("a\nb\r\nc\rd\ve\ff\x1cg\u0085h\u2028i\n\n", 1);
  const ValueList lines = split_lines(interpreter_, text, false);
  std::string joined;
  for (const Value& line : lines) joined += std::string(line.as_text().view()) + "|";
  EXPECT_EQ(joined, "a|b|c|d|e|f|g|h|i||");
  std::string whole;
  for (const Value& line : split_lines(interpreter_, text, true)) whole += line.as_text().view();
  EXPECT_EQ(whole, text.view());
}

TEST_F(TextOperations, PadCountsCodePoints) {
  EXPECT_EQ(pad(interpreter_, Text("é", 1), 3, Side::left, "-").view(), "--é");
  EXPECT_EQ(pad(interpreter_, Text("é", 1), 3, Side::right, "€").view(), "é€€");
  EXPECT_EQ(pad(interpreter_, Text("abc", 1), 2, Side::left, "-").view(), "abc");
  EXPECT_EQ(pad(interpreter_, Text("abc", 1), -5, Side::left, "-").view(), "abc");
}

TEST_F(TextOperations, ReverseSearchFindsTheLast) {
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
