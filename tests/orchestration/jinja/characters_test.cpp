#include "orchestration/jinja/characters.h"

#include <gtest/gtest.h>

#include <string>

namespace parley::orchestration::jinja {
namespace {

std::string in_case(std::string_view text, LetterCase letter_case) {
  std::string out;
  for (std::size_t at = 0; at < text.size();) {
    const CodePoint next = code_point_at(text, at);
    append_in_case(out, next.value, letter_case);
    at += next.size;
  }
  return out;
}

TEST(Characters, EveryCodePointSurvivesWritingAndReading) {
  for (char32_t c = 0; c < 0x110000; ++c) {
    if (c >= 0xd800 && c <= 0xdfff) continue;
    std::string bytes;
    append_utf8(bytes, c);
    const CodePoint read = code_point_at(bytes, 0);
    ASSERT_EQ(read.value, c);
    ASSERT_EQ(read.size, bytes.size());
    ASSERT_EQ(start_of_last(bytes, 0, bytes.size()), 0u);
  }
}

TEST(Characters, InvalidBytesStandForThemselves) {
  for (const std::string text :
       {"\x80", "\xc0\x80", "\xc1\xbf", "\xe0\x80\x80", "\xed\xa0\x80", "\xf0\x80\x80\x80",
        "\xf4\x90\x80\x80", "\xf5\x80\x80\x80", "\xff", "\xe2\x82", "\xf0\x9f\x98"}) {
    std::string copy;
    for (std::size_t at = 0; at < text.size();) {
      const CodePoint next = code_point_at(text, at);
      EXPECT_GE(next.value, kInvalid);
      EXPECT_EQ(next.size, 1u);
      append_utf8(copy, next.value);
      at += next.size;
    }
    EXPECT_EQ(copy, text);
    EXPECT_EQ(count_code_points(text), text.size());
  }
}

TEST(Characters, CountAndOffsetsAgree) {
  const std::string text =
      "aé€😀\xff"
      "b";
  EXPECT_EQ(count_code_points(text), 6u);
  const std::size_t offsets[] = {0, 1, 3, 6, 10, 11, 12, 12};
  for (std::size_t i = 0; i < 8; ++i) EXPECT_EQ(offset_of_code_point(text, i), offsets[i]) << i;
  EXPECT_EQ(offset_of_code_point("abc", 2), 2u);
  EXPECT_EQ(offset_of_code_point("abc", 9), 3u);
}

TEST(Characters, WhiteSpaceIsPythons) {
  for (const char32_t c :
       U" \t\n\v\f\r\x1c\x1d\x1e\x1f\x85\xa0\u1680\u2000\u200a\u2028\u2029\u202f\u205f\u3000") {
    if (c != 0) {
      EXPECT_TRUE(is_space(c)) << static_cast<unsigned>(c);
    }
  }
  for (const char32_t c :
       {U'a', U'\u200b', U'\ufeff', U'\u180e', U'_', static_cast<char32_t>(kInvalid + 0x85)}) {
    EXPECT_FALSE(is_space(c)) << static_cast<unsigned>(c);
  }
}

TEST(Characters, SpacesAreSkippedFromBothEnds) {
  const std::string text = " \t\u00a0x y\u3000\n";
  const std::size_t begin = skip_spaces(text, 0);
  EXPECT_EQ(text.substr(begin, trimmed_end(text, begin) - begin), "x y");
  EXPECT_EQ(skip_spaces("   ", 0), 3u);
  EXPECT_EQ(trimmed_end("   ", 0), 0u);
  EXPECT_EQ(trimmed_end("   ", 2), 2u);
}

TEST(Characters, PrintableIsPythons) {
  for (const char32_t c : {U' ', U'a', U'é', U'€', U'😀', U'\u0301'}) EXPECT_TRUE(is_printable(c));
  for (const char32_t c :
       {U'\n', U'\x7f', U'\x80', U'\u00a0', U'\u00ad', U'\u200b', U'\u2028', U'\ue000', U'\U000e0001'}) {
    EXPECT_FALSE(is_printable(c)) << static_cast<unsigned>(c);
  }
}

TEST(Characters, HaveCases) {
  EXPECT_EQ(in_case("aß é ŉ ǆ ﬁ", LetterCase::upper), "ASS É ʼN Ǆ FI");
  EXPECT_EQ(in_case("AÉ İ Ǆ", LetterCase::lower), "aé i̇ ǆ");
  EXPECT_EQ(in_case("aǆß", LetterCase::title), "AǅSs");
  EXPECT_EQ(in_case("\xff", LetterCase::upper), "\xff");
}

TEST(Characters, SigmaIsFinalAtTheEndOfAWord) {
  const auto final_at = [](const std::string& text) { return is_final_sigma(text, text.find("Σ")); };
  EXPECT_TRUE(final_at("ΑΣ"));
  EXPECT_TRUE(final_at("ΑΣ "));
  EXPECT_TRUE(final_at("Α'Σ'"));
  EXPECT_FALSE(final_at("Σ"));
  EXPECT_FALSE(final_at("ΑΣΑ"));
  EXPECT_FALSE(final_at("Α Σ"));
  EXPECT_FALSE(final_at("ΑΣ'Α"));
}

TEST(Characters, FindIsThatOfStrings) {
  const std::string text = "abababc";
  for (const std::string needle : {"a", "ab", "abc", "c", "x", "abababc", "abababcd", ""}) {
    for (std::size_t from = 0; from <= text.size() + 1; ++from) {
      EXPECT_EQ(find_bytes(text, needle, from), text.find(needle, from)) << needle << from;
    }
  }
}

}  // namespace
}  // namespace parley::orchestration::jinja
