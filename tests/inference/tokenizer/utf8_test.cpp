#include "inference/tokenizer/utf8.h"

#include <gtest/gtest.h>

#include <string>

namespace parley::inference::tokenizer {
namespace {

using namespace std::string_literals;

Utf8Kind kind_of(std::string_view text) { return first_utf8_part(text).kind; }
std::size_t length_of(std::string_view text) { return first_utf8_part(text).length; }

TEST(Utf8, every_code_point_comes_back) {
  for (char32_t code_point = 0; code_point < kInvalidByte; ++code_point) {
    if (code_point >= 0xD800 && code_point < 0xE000) continue;
    std::string text;
    append_utf8(text, code_point);
    const Utf8Part part = first_utf8_part(text);
    ASSERT_EQ(part.kind, Utf8Kind::character) << static_cast<std::uint32_t>(code_point);
    ASSERT_EQ(part.length, text.size());
    ASSERT_EQ(part.code_point, code_point);
    for (std::size_t length = 1; length < text.size(); ++length) {
      const Utf8Part cut = first_utf8_part(std::string_view(text).substr(0, length));
      ASSERT_EQ(cut.kind, Utf8Kind::unfinished);
      ASSERT_EQ(cut.length, length);
    }
  }
}

TEST(Utf8, surrogates_are_invalid) {
  std::string text;
  append_utf8(text, 0xD800);
  EXPECT_EQ(kind_of(text), Utf8Kind::invalid);
  append_utf8(text = "", 0xDFFF);
  EXPECT_EQ(kind_of(text), Utf8Kind::invalid);
}

TEST(Utf8, longer_forms_and_values_past_the_last_code_point_are_invalid) {
  for (const char* text : {"\xC0\x80", "\xC1\xBF", "\xE0\x9F\xBF", "\xF0\x8F\xBF\xBF", "\xF4\x90\x80\x80",
                           "\xF5\x80\x80\x80", "\xFF", "\x80", "\xBF"}) {
    EXPECT_EQ(kind_of(text), Utf8Kind::invalid) << text;
    EXPECT_EQ(length_of(text), 1u) << text;
  }
}

TEST(Utf8, an_invalid_part_is_as_long_as_what_could_have_begun_a_character) {
  EXPECT_EQ(length_of("\xF0\x9F\x98x"), 3u);
  EXPECT_EQ(length_of("\xF0\x9F\xF0\x9F"), 2u);
  EXPECT_EQ(length_of("\xE2\x82x"), 2u);
  EXPECT_EQ(length_of("\xE2\xE2"), 1u);
  EXPECT_EQ(length_of("\xC3\x28"), 1u);
}

TEST(Utf8, bytes_outside_characters_come_one_by_one_and_come_back) {
  const std::string text = "a\xF0\x9F\xFF\xC3\xA9\x80"s + '\0';
  std::string copy;
  std::vector<std::size_t> lengths;
  for (std::string_view rest = text; !rest.empty();) {
    const Utf8Character character = first_character(rest);
    append_utf8(copy, character.code_point);
    lengths.push_back(character.length);
    rest.remove_prefix(character.length);
  }
  EXPECT_EQ(copy, text);
  EXPECT_EQ(lengths, (std::vector<std::size_t>{1, 1, 1, 1, 2, 1, 1}));
  EXPECT_EQ(first_character("\x80").code_point, kInvalidByte + 0x80);
}

TEST(Utf8, valid_text_is_told_from_invalid) {
  for (const char* good : {"", "aé中😀\n", "\xC3\xA4", "\xE2\x82\xAC", "\xED\x9F\xBF", "\xEE\x80\x80",
                           "\xF4\x8F\xBF\xBF", "\x7f"}) {
    EXPECT_TRUE(is_valid_utf8(good)) << good;
  }
  for (const char* bad :
       {"\x80", "\xC3", "\xC0\x80", "\xC1\xBF", "\xE0\x9F\xBF", "\xED\xA0\x80", "\xF0\x8F\xBF\xBF",
        "\xF4\x90\x80\x80", "\xF5\x80\x80\x80", "\xFF", "a\xE2\x82", "\xE2\x28\xA1", "a\xF0\x9F\x98"}) {
    EXPECT_FALSE(is_valid_utf8(bad)) << bad;
  }
  EXPECT_TRUE(is_valid_utf8(std::string_view("\0", 1)));
}

TEST(Utf8, text_is_cut_between_characters_only) {
  const std::string text = "a\xC3\xA4";
  EXPECT_TRUE(is_character_border(text, 0));
  EXPECT_TRUE(is_character_border(text, 1));
  EXPECT_FALSE(is_character_border(text, 2));
  EXPECT_TRUE(is_character_border(text, 3));
  EXPECT_FALSE(is_character_border(text, 4)) << "behind the end";
}

}  // namespace
}  // namespace parley::inference::tokenizer
