#include "inference/tokenizer/pre_token_scanner.h"

#include <gtest/gtest.h>

#include <random>
#include <string>
#include <vector>

#include "tests/inference/tokenizer/goldens.h"

namespace parley::inference::tokenizer {
namespace {

using Pieces = std::vector<std::string>;

constexpr const char* kNames[] = {"smollm", "qwen2", "gpt-2", "llama-bpe"};

class PreTokenScannerTest : public testing::Test {
 protected:
  PreTokenScanner scan(std::string_view name, std::string_view text) const {
    return {*find_pre_tokenizer_rules(name), table_, text};
  }
  Pieces pieces(std::string_view name, std::string_view text) const {
    PreTokenScanner scanner = scan(name, text);
    Pieces result;
    while (!scanner.done()) result.emplace_back(scanner.next());
    return result;
  }

  const CharacterTable table_;
};

TEST_F(PreTokenScannerTest, agrees_with_the_official_splits) {
  const Goldens goldens = load_goldens();
  ASSERT_GE(goldens.texts.size(), 300u);
  for (const std::string name : kNames) {
    const auto& expected = goldens.pieces.at(name);
    ASSERT_EQ(expected.size(), goldens.texts.size());
    for (std::size_t index = 0; index < expected.size(); ++index) {
      std::vector<int> lengths;
      for (const auto& piece : pieces(name, goldens.texts[index]))
        lengths.push_back(static_cast<int>(piece.size()));
      EXPECT_EQ(lengths, expected[index]) << name << ": " << goldens.texts[index];
    }
  }
}

TEST_F(PreTokenScannerTest, an_empty_text_has_no_pieces) {
  for (const char* name : kNames) EXPECT_TRUE(pieces(name, "").empty());
}

TEST_F(PreTokenScannerTest, numbers_are_cut_as_each_family_wants) {
  EXPECT_EQ(pieces("smollm", "a 1234"), (Pieces{"a", " ", "1", "2", "3", "4"}));
  EXPECT_EQ(pieces("qwen2", "a 1234"), (Pieces{"a", " ", "1", "2", "3", "4"}));
  EXPECT_EQ(pieces("gpt-2", "a 1234"), (Pieces{"a", " 1234"}));
  EXPECT_EQ(pieces("llama-bpe", "a 1234"), (Pieces{"a", " ", "123", "4"}));
}

TEST_F(PreTokenScannerTest, white_space_before_a_number_stays_whole_only_where_numbers_are_split_off_first) {
  EXPECT_EQ(pieces("smollm", "a   1"), (Pieces{"a", "   ", "1"}));
  EXPECT_EQ(pieces("qwen2", "a   1"), (Pieces{"a", "  ", " ", "1"}));
}

TEST_F(PreTokenScannerTest, invalid_bytes_are_symbols) {
  EXPECT_EQ(pieces("gpt-2", "a\xFF\xF0\x9F b"), (Pieces{"a", "\xFF\xF0\x9F", " b"}));
  EXPECT_EQ(pieces("qwen2",
                   "\x80"
                   "a"),
            (Pieces{"\x80"
                    "a"}));
}

// Any text, among it what is cut in the middle of characters: nothing is lost, and each character is read at
// most six times, long runs of white space and newlines included.
TEST_F(PreTokenScannerTest, reads_each_character_at_most_six_times) {
  std::mt19937 random(17);
  const std::vector<std::string> parts = {" ", "  ", "\n", "\r\n", "\t",   "a",      "b",      "1",   "'",
                                          "s", "!",  "é",  "中",   "\xFF", "\u0301", "\u3000", "'ll", "\xE4"};
  std::vector<std::string> texts = {std::string(100'000, ' '), std::string(100'000, '\n'),
                                    std::string(100'000, '!')};
  for (std::string& text : texts) text += "x";
  std::string alternating;
  for (int count = 0; count < 20'000; ++count) alternating += " \n ";
  texts.push_back(alternating + "1");
  for (int round = 0; round < 500; ++round) {
    std::string text;
    for (std::size_t length = random() % 200; length > 0; --length) text += parts[random() % parts.size()];
    texts.push_back(text);
  }
  for (const char* name : kNames) {
    for (const std::string& text : texts) {
      PreTokenScanner scanner = scan(name, text);
      std::string joined;
      while (!scanner.done()) {
        const std::string_view piece = scanner.next();
        ASSERT_FALSE(piece.empty());
        joined += piece;
      }
      ASSERT_EQ(joined, text);
      ASSERT_LE(scanner.characters_read(), 6 * text.size());
    }
  }
}

}  // namespace
}  // namespace parley::inference::tokenizer
