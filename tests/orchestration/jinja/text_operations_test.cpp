#include "orchestration/jinja/text_operations.h"

#include <gtest/gtest.h>

#include <random>
#include <string>

#include "tests/orchestration/jinja/random_text.h"
#include "tests/orchestration/jinja/render_helper.h"

namespace parley::orchestration::jinja {
namespace {

class TextOperations : public testing::Test {
 protected:
  RenderLimits limits_ = {.max_steps = 100'000'000, .max_memory_bytes = std::size_t{1} << 30};
  Interpreter interpreter_{"", limits_, {}};
};

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

TEST_F(TextOperations, StripTakesFromTheSidesAsked) {
  const Text text("  x y \n", 1);
  EXPECT_EQ(strip(interpreter_, text, std::nullopt, Side::both).view(), "x y");
  EXPECT_EQ(strip(interpreter_, text, std::nullopt, Side::left).view(), "x y \n");
  EXPECT_EQ(strip(interpreter_, text, std::nullopt, Side::right).view(), "  x y");
  EXPECT_EQ(strip(interpreter_, Text("éxé", 1), Text("é", 0), Side::both).view(), "x");
  EXPECT_EQ(strip(interpreter_, Text("aaa", 1), Text("a", 0), Side::both).view(), "");
}

// "ΑΣ" of one origin and "Α" of another are one word.
TEST_F(TextOperations, LettersOfOtherOriginsAreNeighboursToo) {
  const Text word = Text::concatenate(Text("ΑΣ", 1), Text("Α Σ", 2));
  EXPECT_EQ(to_lower(interpreter_, word).view(), "ασα σ");
  EXPECT_EQ(to_lower(interpreter_, Text::concatenate(Text("Α", 1), Text("Σ", 2))).view(), "ας");
}

TEST_F(TextOperations, LinesEndWherePythonEndsThem) {
  const Text text("a\nb\r\nc\rd\ve\ff\x1cg\u0085h\u2028i\n\n", 1);
  const ValueList lines = split_lines(interpreter_, text, LineEnds::dropped);
  std::string joined;
  for (const Value& line : lines) joined += std::string(line.as_text().view()) + "|";
  EXPECT_EQ(joined, "a|b|c|d|e|f|g|h|i||");
  std::string whole;
  for (const Value& line : split_lines(interpreter_, text, LineEnds::kept)) whole += line.as_text().view();
  EXPECT_EQ(whole, text.view());
}

TEST_F(TextOperations, PadCountsCodePoints) {
  EXPECT_EQ(pad(interpreter_, Text("é", 1), 3, Side::left, "-").view(), "--é");
  EXPECT_EQ(pad(interpreter_, Text("é", 1), 3, Side::right, "€").view(), "é€€");
  EXPECT_EQ(pad(interpreter_, Text("abc", 1), 2, Side::left, "-").view(), "abc");
  EXPECT_EQ(pad(interpreter_, Text("abc", 1), -5, Side::left, "-").view(), "abc");
}

}  // namespace
}  // namespace parley::orchestration::jinja
