#include "retrieval/documents/utf8.h"

#include <gtest/gtest.h>

#include <string>

namespace parley::retrieval::documents {

namespace {

TEST(Utf8Test, EveryCharacterIsWrittenAndRecognised) {
  for (char32_t value = 0; value <= 0x10FFFF; ++value) {
    std::string text;
    append_code_point(text, value);
    ASSERT_EQ(utf8_length_at(text, 0), text.size()) << static_cast<unsigned>(value);
    const bool surrogate = value >= 0xD800 && value < 0xE000;
    ASSERT_EQ(text == "\xEF\xBF\xBD", surrogate || value == 0xFFFD);
  }
}

TEST(Utf8Test, MalformedBytesAreNone) {
  for (const char* bad : {"\x80", "\xC0\xAF", "\xC1\xBF", "\xC3", "\xE0\x9F\xBF", "\xED\xA0\x80", "\xE2\x82",
                          "\xF0\x8F\xBF\xBF", "\xF4\x90\x80\x80", "\xF5\x80\x80\x80", "\xFF"}) {
    EXPECT_EQ(utf8_length_at(bad, 0), 0U);
    EXPECT_FALSE(is_valid_utf8("longer than eight bytes, then " + std::string(bad)));
  }
  EXPECT_TRUE(is_valid_utf8("longer than eight bytes, then é € \xF0\x9F\x98\x80"));
}

TEST(Utf8Test, RepairsByteByByte) { EXPECT_EQ(repaired_utf8("a\xFF\xE2\x82z"), "a\uFFFD\uFFFD\uFFFDz"); }

}  // namespace

}  // namespace parley::retrieval::documents
