#include "orchestration/tools/clean_output.h"

#include <gtest/gtest.h>

#include <chrono>

namespace parley::orchestration::tools {
namespace {

TEST(WithoutControls, KeepsTextNewlinesAndTabs) {
  EXPECT_EQ(without_controls("a\tb\nc\r\nd"), "a\tb\nc\nd");
  EXPECT_EQ(without_controls("10%\r20%\rdone"), "10%\n20%\ndone");
  EXPECT_EQ(without_controls("\xC3\xA9\xE2\x82\xAC\xF0\x9F\x98\x80"), "\xC3\xA9\xE2\x82\xAC\xF0\x9F\x98\x80");
  EXPECT_EQ(without_controls(""), "");
}

TEST(WithoutControls, RemovesTerminalSequences) {
  const std::pair<std::string, std::string> cases[] = {
      {"\x1b[31mred\x1b[0m", "red"},
      {"\x1b[38;5;1;48:2::1:2:3mx", "x"},
      {"\x1b[?25l\x1b[2J\x1b[1;1Hx", "x"},
      {"\x1b]0;title\ax", "x"},
      {"\x1b]8;;http://evil.example\x1b\\link\x1b]8;;\x1b\\", "link"},
      {"\x1bP1$r0m\x1b\\x", "x"},
      {"\x1b(B\x1b=\x1b"
       "7\x1b#8x",
       "x"},
      {"\xC2\x9B"
       "31mx",
       "x"},
      {"\xC2\x9D"
       "0;t\xC2\x9Cx",
       "x"},
      {"\x1b]0;never closed\nx", "\nx"},
      {"a\x1b", "a"},
      {"a\x1b[", "a"},
      {"a\x1b[31", "a"},
      {"\x1b[3\n1m", "\n1m"},
      {"\x1b\x1b[0mx", "x"},
  };
  for (const auto& [bytes, text] : cases)
    EXPECT_EQ(without_controls(bytes), text) << ::testing::PrintToString(bytes);
}

TEST(WithoutControls, RemovesOtherControlCharacters) {
  std::string all;
  for (int c = 0; c < 0x20; ++c) all += static_cast<char>(c == 0x1b ? 'x' : c);
  EXPECT_EQ(without_controls(all + "\x7f"), "\t\n\nx");
  EXPECT_EQ(without_controls("a\bb\a\xC2\x85z"), "abz");
  EXPECT_EQ(without_controls(std::string("a\0b", 3)), "ab");
}

TEST(WithoutControls, RemovesWhatTurnsTextAround) { EXPECT_EQ(without_controls("a\u202Eb\u2066c"), "abc"); }

TEST(WithoutControls, MendsUtf8) {
  EXPECT_EQ(without_controls("a\xFF\xC3("), "a\xEF\xBF\xBD\xEF\xBF\xBD(");
  EXPECT_EQ(without_controls("a\xE2\x82"), "a\xEF\xBF\xBD");
  EXPECT_EQ(without_controls("\xED\xA0\x80"), "\xEF\xBF\xBD\xEF\xBF\xBD\xEF\xBF\xBD");
}

TEST(WithoutControls, IsLinear) {
  std::string hostile;
  for (int i = 0; i < 1'000'000; ++i) hostile += "\x1b]";
  const auto start = std::chrono::steady_clock::now();
  EXPECT_EQ(without_controls(hostile), "");
  EXPECT_EQ(without_controls(std::string(4 << 20, '\x1b')), "");
  EXPECT_LT(std::chrono::steady_clock::now() - start, std::chrono::seconds(5));
}

TEST(Redacted, HidesEverySecretTheLongestFirst) {
  const std::vector<std::string> secrets = {"abc123", "abc123def", ""};
  EXPECT_EQ(redacted("x abc123def y abc123 z abc12", secrets), "x [redacted] y [redacted] z abc12");
  EXPECT_EQ(redacted("abc123abc123", secrets), "[redacted][redacted]");
  EXPECT_EQ(redacted("", secrets), "");
}

TEST(HeadAndTail, KeepsBothEndsAndSaysHowMuchIsGone) {
  const CutText cut = head_and_tail("0123456789abcdef", 6);
  EXPECT_EQ(cut.text, "012\n\xE2\x80\xA6 10 bytes cut \xE2\x80\xA6\ndef");
  EXPECT_EQ(cut.cut_bytes, 10u);
  EXPECT_EQ(head_and_tail("012345", 6).text, "012345");
  EXPECT_EQ(head_and_tail("012345", 6).cut_bytes, 0u);
  EXPECT_EQ(head_and_tail("0123", 1).text, "0\n\xE2\x80\xA6 3 bytes cut \xE2\x80\xA6\n");
  EXPECT_EQ(head_and_tail("0123", 0).cut_bytes, 4u);
}

TEST(HeadAndTail, CountsWhatAnEarlierCutTookOut) {
  std::string text;
  for (int i = 0; i < 1'000; ++i) text += "0123456789";
  const CutText once = head_and_tail(text, 4'000);
  EXPECT_EQ(once.cut_bytes, 6'000u);
  const CutText twice = head_and_tail(once.text, 1'000);
  EXPECT_EQ(twice.cut_bytes, 9'000u);
  EXPECT_NE(twice.text.find("9000 bytes cut"), std::string::npos);
  for (const char* number : {"99999999999999999999", "-1", "1e9", ""}) {
    const std::string text_like_it = std::string(50, 'a') + "\n\xE2\x80\xA6 " + number +
                                     " bytes cut \xE2\x80\xA6\n" + std::string(50, 'b');
    EXPECT_EQ(head_and_tail(text_like_it, 20).cut_bytes, text_like_it.size() - 20) << number;
  }
  const std::string overlapping = std::string(50, 'a') + "\n\xE2\x80\xA6 bytes cut \xE2\x80\xA6\n";
  EXPECT_EQ(head_and_tail(overlapping, 20).cut_bytes, overlapping.size() - 20);
}

TEST(HeadAndTail, NeverCutsACharacter) {
  std::string euros;
  for (int i = 0; i < 20; ++i) euros += "\xE2\x82\xAC";
  for (std::size_t limit = 0; limit < euros.size(); ++limit) {
    const CutText cut = head_and_tail(euros, limit);
    EXPECT_EQ(without_controls(cut.text), cut.text) << limit;
    EXPECT_LE(euros.size() - cut.cut_bytes, limit);
    EXPECT_NE(cut.text.find(std::to_string(cut.cut_bytes) + " bytes cut"), std::string::npos);
  }
}

TEST(CleanCutOutput, LeavesOutWhatMayBePartOfASecret) {
  EXPECT_EQ(cut_margin({}), 0u);
  EXPECT_EQ(cut_margin({"abc", "sesame-42"}), 12u);
  const CutText clean = clean_cut_output("head sesame-42 sesam", "e-42 tail of it", 7, 100, {"sesame-42"});
  EXPECT_EQ(clean.text, "head [red\n\xE2\x80\xA6 31 bytes cut \xE2\x80\xA6\n it");
  EXPECT_EQ(clean.cut_bytes, 31u);
  const CutText plain = clean_cut_output("0123456789", "abcdefghij", 5, 8, {});
  EXPECT_EQ(plain.text, "0123\n\xE2\x80\xA6 17 bytes cut \xE2\x80\xA6\nghij");
}

TEST(CleanOutput, RedactsBeforeItCuts) {
  const CutText clean = clean_output("\x1b[1mkey=sesame-42\x1b[0m!", 100, {"sesame-42"});
  EXPECT_EQ(clean.text, "key=[redacted]!");
  EXPECT_EQ(clean_output("ses\x1b[0mame-42", 100, {"sesame-42"}).text, "[redacted]");
}

}  // namespace
}  // namespace parley::orchestration::tools
