#include "orchestration/mcp/plain_text.h"

#include <gtest/gtest.h>

#include <string>

namespace parley::orchestration::mcp {
namespace {

TEST(PlainText, leaves_ordinary_text_alone) {
  EXPECT_EQ(plain_text("Grüße,\n\t😀 \"quoted\" <b>"), "Grüße,\n\t😀 \"quoted\" <b>");
}

TEST(PlainText, drops_terminal_sequences_as_a_whole) {
  EXPECT_EQ(plain_text("\x1b[31;1mred\x1b[0m"), "red");
  EXPECT_EQ(plain_text("\x1b]0;title\x07text"), "text");
  EXPECT_EQ(plain_text("\x1b]8;;http://x\x1b\\link\x1b]8;;\x1b\\"), "link");
  EXPECT_EQ(plain_text("\x1bPq#0\x1b\\a\x1b"
                       "7b\x1b"),
            "ab");
  EXPECT_EQ(plain_text("a\x1b[999"), "a");
  EXPECT_EQ(plain_text("\x1b]0;title\x1b[0mtext"), "text") << "another sequence ends a control string";
  EXPECT_EQ(plain_text("\u009b31mtext"), "text");
}

TEST(PlainText, an_unfinished_sequence_swallows_no_more_than_its_line) {
  EXPECT_EQ(plain_text("\x1b]0;oops\nnext"), "\nnext");
  EXPECT_EQ(plain_text("\x1b[12\nnext"), "\nnext");
  const std::string tail(10000, 'x');
  EXPECT_EQ(plain_text("\x1b]" + tail), tail);
}

TEST(PlainText, drops_control_characters_and_what_turns_text_around) {
  using std::string_literals::operator""s;
  EXPECT_EQ(plain_text("a\0b\x08\r\nc\x7f"s), "ab\nc");
  EXPECT_EQ(plain_text("a\u0085\u0084b\u202ec\u2066d\u2069"), "abcd");
  EXPECT_EQ(plain_text("\u00a0\u2029\u202f\u2065"), "\u00a0\u2029\u202f\u2065");
}

TEST(PlainText, is_always_utf8) { EXPECT_EQ(plain_text("a\xff\xe2\x80"), "a\uFFFD\uFFFD"); }

TEST(PlainLine, is_one_line_cut_at_a_character) {
  EXPECT_EQ(plain_line("a\nb", 10), "a b");
  EXPECT_EQ(plain_line("abcdef", 6), "abcdef");
  EXPECT_EQ(plain_line("abcdefg", 6), "abcdef…");
  EXPECT_EQ(plain_line("aéé", 4), "aé…");
  EXPECT_EQ(plain_line(std::string(100, 'a') + std::string(1 << 20, '\x1b'), 50).size(), 53u);
}

TEST(PlainText, is_cut_between_characters_at_both_ends) {
  EXPECT_EQ(head_of("a€b", 3), "a");
  EXPECT_EQ(head_of("a€b", 4), "a€");
  EXPECT_EQ(head_of("ab", 2), "ab");
  EXPECT_EQ(head_of("€", 0), "");
  EXPECT_EQ(tail_of("a€b", 3), "b");
  EXPECT_EQ(tail_of("a€b", 4), "€b");
  EXPECT_EQ(tail_of("ab", 9), "ab");
  EXPECT_EQ(tail_of("a€", 2), "");
}

}  // namespace
}  // namespace parley::orchestration::mcp
