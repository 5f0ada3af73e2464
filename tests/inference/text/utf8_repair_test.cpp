#include "inference/text/utf8_repair.h"

#include <gtest/gtest.h>
#include <simdjson.h>

#include <string>
#include <utility>
#include <vector>

namespace parley::inference::text {
namespace {

std::string from_hexadecimal(std::string_view digits) {
  std::string bytes;
  for (std::size_t index = 0; index < digits.size(); index += 2) {
    bytes += static_cast<char>(std::stoi(std::string(digits.substr(index, 2)), nullptr, 16));
  }
  return bytes;
}

// Bytes, and what Python makes of them.
std::vector<std::pair<std::string, std::string>> load_goldens() {
  simdjson::dom::parser parser;
  std::vector<std::pair<std::string, std::string>> pairs;
  for (const auto pair : parser.load(PARLEY_SOURCE_DIR "/tests/goldens/text/utf8_goldens.json")) {
    pairs.emplace_back(from_hexadecimal(pair.at(0)), std::string(std::string_view(pair.at(1))));
  }
  return pairs;
}

std::string repair(std::string_view bytes, std::size_t piece_length) {
  Utf8Repair repair;
  std::string text;
  for (std::size_t begin = 0; begin < bytes.size(); begin += piece_length) {
    repair.push(bytes.substr(begin, piece_length), text);
  }
  repair.finish(text);
  return text;
}

TEST(Utf8Repair, agrees_with_python_in_pieces_of_any_length) {
  const auto goldens = load_goldens();
  ASSERT_GT(goldens.size(), 1000u);
  for (const auto& [bytes, expected] : goldens) {
    for (const std::size_t piece_length : {1, 2, 3, 5, 1000}) {
      ASSERT_EQ(repair(bytes, piece_length), expected) << testing::PrintToString(bytes);
    }
  }
}

TEST(Utf8Repair, gives_characters_as_soon_as_they_are_whole) {
  Utf8Repair repair;
  std::string text;
  repair.push("a\xF0\x9F", text);
  EXPECT_EQ(text, "a");
  repair.push("\x98", text);
  EXPECT_EQ(text, "a");
  repair.push("\x80", text);
  EXPECT_EQ(text, "a😀");
}

TEST(Utf8Repair, begins_anew_after_the_end) {
  Utf8Repair repair;
  std::string text;
  repair.push("\xE2\x82", text);
  repair.finish(text);
  repair.finish(text);
  repair.push("\xAC", text);
  EXPECT_EQ(text, "\uFFFD\uFFFD");
}

}  // namespace
}  // namespace parley::inference::text
