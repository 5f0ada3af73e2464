// What reading costs, counted and not timed: as many looks at the input for each byte, however long it is.

#include <gtest/gtest.h>

#include "tests/orchestration/calls/family_cases.h"
#include "tests/orchestration/calls/random_arguments.h"

namespace parley::orchestration::calls {
namespace {

constexpr std::size_t kShort = 50'000;
constexpr std::size_t kLong = 100'000;

std::string repeated(std::string_view piece, std::size_t size) {
  std::string text;
  while (text.size() < size) text += piece;
  return text;
}

std::size_t looks_at(const std::string& family, std::string_view text) {
  const auto parser = make_call_parser(*find_call_format(family), options_of({}));
  while (!text.empty()) {
    const std::size_t length = std::min<std::size_t>(3, text.size());
    parser->push(0, text.substr(0, length));
    text.remove_prefix(length);
  }
  parser->finish(AnswerEnd::complete);
  return parser->num_looks();
}

void expect_linear(const std::string& family, const std::string& half, const std::string& whole) {
  const std::size_t few = looks_at(family, half);
  const std::size_t many = looks_at(family, whole);
  EXPECT_LT(many, whole.size() * 12) << family;
  EXPECT_LT(many, few * 2 + 10'000) << family;
}

std::string call_of(const std::string& family, const std::string& value) {
  return write_output(family, {.calls = {{"calculator", {{"expression", value}}}}});
}

TEST(LongArguments, CostAsMuchForEachByte) {
  constexpr std::string_view kPiece = "a line of {code} with \"quotes\", </tags> and\n\n more; ";
  for (const std::string& family : written_families()) {
    if (family == "llama-3") continue;  // held back, at most 64 KiB
    const std::string value = repeated(kPiece, kLong);
    const std::string text = call_of(family, value);
    expect_linear(family, call_of(family, repeated(kPiece, kShort)), text);
    const ReadOutput read = read_pieces(family, {text});
    ASSERT_EQ(read.calls.size(), 1u) << family;
    EXPECT_EQ(read.calls[0].error, "") << family;
    EXPECT_EQ(object(read.calls[0].arguments).at("expression"), inference::json::JsonValue(value)) << family;
  }
}

TEST(LongArguments, FullOfMarkersCostAsMuchForEachByte) {
  for (const std::string& family : written_families()) {
    std::string piece = "\n";
    for (const std::string& marker : markers_of(*find_call_format(family))) piece += marker + " x ";
    expect_linear(family, call_of(family, repeated(piece, kShort)), call_of(family, repeated(piece, kLong)));
  }
}

// Each of them may be the end, and none is.
TEST(LongArguments, OfDoubtfulEndsCostAsMuchForEachByte) {
  for (const std::string& family : written_families()) {
    const CallFormat& format = *find_call_format(family);
    if (format.argument.value_close.empty()) continue;
    const std::string close = format.argument.value_close[0] + format.call_close[0];
    for (const std::string& piece : {close + " x ", "\"" + close, close + " \"x\", "}) {
      for (const char* begin : {"", "[\"", "{\"a\": \""}) {
        const auto text_of = [&](std::size_t size) {
          inference::json::JsonObject arguments{{"city", "x"}};
          arguments["options"] = "(value)";  // a string, so that it is written as it is
          std::string text = write_output(family, {.calls = {{"get_weather", arguments}}});
          text.resize(text.find("(value)"));
          return text + begin + repeated(piece, size);
        };
        expect_linear(family, text_of(kShort), text_of(kLong));
      }
    }
  }
}

TEST(LongArguments, AreReadAgainSoManyBytesInAll) {
  CallInput input;
  EXPECT_TRUE(input.may_reread(kMaxReread));
  EXPECT_FALSE(input.may_reread(kMaxReread + 1));
  input.note_reread(kMaxReread - 5);
  EXPECT_TRUE(input.may_reread(5));
  EXPECT_FALSE(input.may_reread(6));
  input.note_reread(100);
  EXPECT_FALSE(input.may_reread(1));
}

}  // namespace
}  // namespace parley::orchestration::calls
