#include "inference/grammar/text_class.h"

#include <gtest/gtest.h>

#include <initializer_list>
#include <string>

#include "inference/tokenizer/utf8.h"

namespace parley::inference::grammar {
namespace {

TextClasses all_of(std::initializer_list<TextClass> classes) {
  TextClasses bits = 0;
  for (const TextClass text : classes) bits |= bit_of(text);
  return bits;
}

TEST(TextClass, texts_are_of_all_classes_that_have_their_characters) {
  using enum TextClass;
  EXPECT_EQ(classes_of(""), kAllTextClasses);
  EXPECT_EQ(classes_of("abc"), kAllTextClasses);
  EXPECT_EQ(classes_of("aBc"), all_of({unmarked, safe, unspaced, plain, phrase, address, words, letters}));
  EXPECT_EQ(classes_of(" abc"), all_of({unmarked, safe, plain, phrase}));
  EXPECT_EQ(classes_of("abc1"), all_of({unmarked, safe, unspaced, plain, address, words}));
  EXPECT_EQ(classes_of("_a"), all_of({unmarked, safe, unspaced, address, words}));
  EXPECT_EQ(classes_of("-._~!$&'()*+,;=:/"), all_of({unmarked, safe, unspaced, address}));
  EXPECT_EQ(classes_of("日本 é😀"), all_of({unmarked, safe, plain}));
  for (const char* sign : {"#", "%", "@", "?", "^", "|"}) {
    EXPECT_EQ(classes_of(sign), all_of({unmarked, safe, unspaced})) << sign;
  }
  EXPECT_EQ(classes_of("a<b"), all_of({safe, unspaced}));
  EXPECT_EQ(classes_of("a{ "), all_of({safe}));
}

TEST(TextClass, what_is_no_safe_text_is_unmarked_at_most) {
  for (const std::string text : {"a\"", "\\", "\n", "\x7F", "\xF0\x9F", "\x98\x80", "\xFF", "\xE2\x80\xA8"}) {
    EXPECT_EQ(classes_of(text), bit_of(TextClass::unmarked)) << text;
  }
  for (const std::string text : {"\n<", "[\x80", "\"`"}) EXPECT_EQ(classes_of(text), 0) << text;
}

TEST(TextClass, unspaced_text_lacks_all_white_space_of_patterns) {
  for (const char32_t c :
       {U' ', U'\u00A0', U'\u1680', U'\u2003', U'\u202F', U'\u205F', U'\u3000', U'\uFEFF'}) {
    std::string text;
    tokenizer::append_utf8(text, c);
    EXPECT_EQ(classes_of(text) & bit_of(TextClass::unspaced), 0) << text;
    EXPECT_NE(classes_of(text) & bit_of(TextClass::safe), 0) << text;
  }
}

// Of every character, both descriptions of the classes say the same.
TEST(TextClass, characters_and_bytes_of_a_class_are_those_of_its_texts) {
  for (char32_t c = 0; c < 0x11000; ++c) {
    if (c >= 0xD800 && c <= 0xDFFF) continue;
    std::string text;
    tokenizer::append_utf8(text, c);
    const TextClasses classes = classes_of(text);
    for (const TextClass each : kTextClasses) {
      const bool is_of_class = (classes & bit_of(each)) != 0;
      if (each != TextClass::unmarked) {
        ASSERT_EQ(characters_of(each).contains({c, c}), is_of_class) << static_cast<unsigned>(c);
      }
      for (const char byte : text) {
        ASSERT_TRUE(!is_of_class || bytes_of(each).contains(static_cast<std::uint8_t>(byte)))
            << static_cast<unsigned>(c);
      }
    }
  }
}

}  // namespace
}  // namespace parley::inference::grammar
