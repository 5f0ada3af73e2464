#include "orchestration/calls/json_scanner.h"

#include <gtest/gtest.h>

#include <random>

#include "inference/json/json.h"

namespace parley::orchestration::calls {
namespace {

using Status = JsonScanner::Status;

// Where the value ends, or -1 - the place of the byte that is bad; the length where it is not over.
int end_of(std::string_view text) {
  JsonScanner scanner;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const Status status = scanner.push(text[i]);
    if (status == Status::done) return static_cast<int>(i) + 1;
    if (status == Status::done_before) return static_cast<int>(i);
    if (status == Status::bad) return -1 - static_cast<int>(i);
  }
  return static_cast<int>(text.size());
}

TEST(JsonScanner, FindsTheEndOfAValue) {
  EXPECT_EQ(end_of(R"({"a": "}"} rest)"), 10);
  EXPECT_EQ(end_of(R"([1, [2]] ])"), 8);
  EXPECT_EQ(end_of(R"("a\"b" c)"), 6);
  EXPECT_EQ(end_of("12,"), 2);
  EXPECT_EQ(end_of("-1.5e+3}"), 7);
  EXPECT_EQ(end_of("true x"), 4);
}

TEST(JsonScanner, RefusesTheFirstByteThatIsWrong) {
  EXPECT_EQ(end_of("{a"), -2);
  EXPECT_EQ(end_of("{\"a\" 1"), -6);
  EXPECT_EQ(end_of("[1 2"), -4);
  EXPECT_EQ(end_of("[1}"), -3);
  EXPECT_EQ(end_of("[1,]"), -4);
  EXPECT_EQ(end_of("{\"a\":1,}"), -8);
  EXPECT_EQ(end_of("01"), 1);  // 0, and something that is not its
  EXPECT_EQ(end_of("[01]"), -3);
  EXPECT_EQ(end_of("\"\\x\""), -3);
  EXPECT_EQ(end_of("\"\n\""), -2);
  EXPECT_EQ(end_of("nul!"), -4);
  EXPECT_EQ(end_of("-a"), -2);
  EXPECT_EQ(end_of("1.e"), -3);
}

TEST(JsonScanner, BoundsNesting) {
  EXPECT_EQ(end_of(std::string(64, '[')), 64);
  EXPECT_EQ(end_of(std::string(65, '[')), -65);
}

TEST(JsonScanner, NamesTheProblem) {
  JsonScanner scanner;
  for (const char byte : std::string_view(R"({"a": 1)")) scanner.push(byte);
  EXPECT_EQ(scanner.push('x'), Status::bad);
  EXPECT_EQ(scanner.problem(), "a comma or a closing bracket was expected");
}

// simdjson is the reference.
TEST(JsonScanner, AgreesWithTheParserOnMutatedTexts) {
  const std::string seed =
      R"({"a": [1, -2.5e3, 0, {"b": "c\n\u00e9\\"}], "d": {}, "e": [], "f": [true, false, null]})";
  const std::string bytes = "{}[]\",:0123456789.eE+-\\ntrufals \t";
  std::mt19937 random(1);
  int valid = 0;
  for (int i = 0; i < 20000; ++i) {
    std::string text = seed;
    const std::size_t edits = random() % 3;
    for (std::size_t k = 0; k < edits; ++k) {
      const std::size_t at = random() % text.size();
      if (random() % 2 == 0) {
        text.erase(at, 1);
      } else {
        text.insert(at, 1, bytes[random() % bytes.size()]);
      }
    }
    const auto parsed = inference::json::parse_json(text, {.max_bytes = 4096, .max_depth = 64});
    const auto* error = std::get_if<inference::json::JsonError>(&parsed);
    // Duplicate keys and numbers out of range are well-formed.
    if (error != nullptr && error->kind != inference::json::JsonError::Kind::not_json) continue;
    valid += error == nullptr ? 1 : 0;
    ASSERT_EQ(is_json(text), error == nullptr) << text;
  }
  EXPECT_GT(valid, 5000);
}

}  // namespace
}  // namespace parley::orchestration::calls
