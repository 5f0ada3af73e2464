#include "retrieval/documents/unicode_text.h"

#include <gtest/gtest.h>

namespace parley::retrieval::documents {
namespace {

std::string collapsed(std::string_view text) { return cleaned_text(text, Spacing::collapse); }

TEST(UnicodeText, CollapsesSpacesAndTrimsLines) {
  EXPECT_EQ(collapsed("  a \t b\u00A0\u3000c  \r\n\r\n  d \v"), "a b c\nd");
  EXPECT_EQ(collapsed(" \n\t "), "");
}

TEST(UnicodeText, KeepsTheInnerSpacingOfCode) {
  EXPECT_EQ(cleaned_text("\n\n  a\t b  \n\n    c\n\n", Spacing::keep), "  a\t b\n\n    c");
}

TEST(UnicodeText, DropsWhatIsNotShown) {
  EXPECT_EQ(collapsed(std::string_view("\uFEFFa\0b\x01\u00AD\u200Bc\x7F", 14)), "abc");
}

TEST(UnicodeText, ReplacesBrokenBytes) {
  EXPECT_EQ(collapsed("a\xFF\xC0\x80z"), "a\uFFFD\uFFFD\uFFFDz");
  EXPECT_EQ(collapsed("\xED\xA0\x80"), "\uFFFD\uFFFD\uFFFD");  // a surrogate
  EXPECT_EQ(collapsed("\xF4\x90\x80\x80"), "\uFFFD\uFFFD\uFFFD\uFFFD");
  EXPECT_EQ(collapsed("\xE2\x82"), "\uFFFD\uFFFD");
  EXPECT_EQ(collapsed("\u20AC\U0001F600"), "\u20AC\U0001F600");
}

TEST(UnicodeText, ReadsUtf16InBothOrders) {
  EXPECT_EQ(utf8_from_utf16(std::string_view("a\0\x3D\xD8\x00\xDE\x00\xDC", 8), ByteOrder::little),
            "a\U0001F600\uFFFD");
  EXPECT_EQ(utf8_from_utf16(std::string_view("\0a\x20\xAC\x01", 5), ByteOrder::big), "a\u20AC");
}

}  // namespace
}  // namespace parley::retrieval::documents
