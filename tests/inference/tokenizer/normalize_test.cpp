#include "inference/tokenizer/normalize.h"

#include <gtest/gtest.h>
#include <unicode/normalizer2.h>
#include <unicode/unistr.h>

#include <random>
#include <string>
#include <vector>

#include "inference/tokenizer/utf8.h"

namespace parley::inference::tokenizer {
namespace {

// The slow twin: ICU's own normaliser, which sorts marks by insertion.
std::string nfc_of_icu(const std::string& text) {
  UErrorCode error = U_ZERO_ERROR;
  const auto* normalizer = icu::Normalizer2::getNFCInstance(error);
  std::string result;
  normalizer->normalize(icu::UnicodeString::fromUTF8(text), error).toUTF8String(result);
  EXPECT_TRUE(U_SUCCESS(error));
  return result;
}

std::string nfc(const std::string& text) {
  std::string buffer;
  return std::string(to_nfc(text, buffer));
}

std::string utf8(const std::vector<char32_t>& code_points) {
  std::string text;
  for (const char32_t code_point : code_points) append_utf8(text, code_point);
  return text;
}

TEST(Normalize, composes_and_orders_marks) {
  EXPECT_EQ(nfc("e\u0301"), "é");
  EXPECT_EQ(nfc("q\u0307\u0323"), "q\u0323\u0307");
  EXPECT_EQ(nfc("\u1112\u1161\u11AB"), "한");
  EXPECT_EQ(nfc("\u212B"), "Å");
  EXPECT_EQ(nfc("\u0958"), "\u0915\u093C");  // excluded from composition
}

TEST(Normalize, gives_back_normal_text_itself) {
  std::string buffer = "untouched";
  const std::string text = "Größe, 中文, 한국어, ỗ, \xFF 😀";
  EXPECT_EQ(to_nfc(text, buffer).data(), text.data());
  EXPECT_EQ(buffer, "untouched");
}

TEST(Normalize, leaves_invalid_bytes_and_combines_nothing_across_them) {
  EXPECT_EQ(nfc("e\u0301\xFF"
                "e\xFF\u0301\xE4\xB8"),
            "é\xFF"
            "e\xFF\u0301\xE4\xB8");
  EXPECT_EQ(nfc("\xF0\x9F\u0301\u0323"), "\xF0\x9F\u0323\u0301");
}

TEST(Normalize, agrees_with_icu_on_every_code_point_among_neighbours) {
  for (char32_t code_point = 0; code_point < kInvalidByte; ++code_point) {
    if (code_point >= 0xD800 && code_point < 0xE000) continue;
    const std::string text =
        utf8({code_point, 'a', 0x345, code_point, 0x301, 0x316, code_point, code_point, 0x338});
    ASSERT_EQ(nfc(text), nfc_of_icu(text)) << static_cast<std::uint32_t>(code_point);
  }
}

TEST(Normalize, agrees_with_icu_on_random_marks_and_jamo) {
  std::mt19937 random(13);
  const auto pick = [&]() -> char32_t {
    switch (random() % 8) {
      case 0:
        return 'a' + random() % 26;
      case 1:
        return 0xC0 + random() % 0x190;
      case 2:
        return 0x1100 + random() % 0x100;
      case 3:
        return 0xAC00 + 28 * (random() % 100) + random() % 2;
      case 4:
        return 0x900 + random() % 0x600;
      case 5:
        return 0x1D100 + random() % 0xA0;
      default:
        return 0x300 + random() % 0x70;
    }
  };
  for (int round = 0; round < 20000; ++round) {
    std::vector<char32_t> code_points(1 + random() % 12);
    for (char32_t& code_point : code_points) code_point = pick();
    const std::string text = utf8(code_points);
    ASSERT_EQ(nfc(text), nfc_of_icu(text)) << round;
  }
}

// ICU's own loop takes more than a minute for this text; the test's time limit is the guard.
TEST(Normalize, a_megabyte_of_unordered_marks_is_sorted) {
  constexpr std::size_t kNumMarks = 250'000;
  std::string text;
  std::string expected;
  for (std::size_t count = 0; count < kNumMarks; ++count) text += "\u0301\u0323";
  for (std::size_t count = 0; count < kNumMarks; ++count) expected += "\u0323";
  for (std::size_t count = 0; count < kNumMarks; ++count) expected += "\u0301";
  EXPECT_EQ(nfc(text), expected);
}

}  // namespace
}  // namespace parley::inference::tokenizer
