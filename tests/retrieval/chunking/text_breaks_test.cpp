#include "retrieval/chunking/text_breaks.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace parley::retrieval::chunking {
namespace {

using Parts = std::vector<std::string>;

Parts parts_of(TextBreaks breaks, const std::string& text) {
  Parts parts;
  std::size_t begin = 0;
  breaks.begin(text);
  while (const auto end = breaks.next_end()) {
    parts.push_back(text.substr(begin, *end - begin));
    begin = *end;
  }
  return parts;
}

TEST(TextBreaks, FindSentencesOfSeveralLanguages) {
  const auto sentences = [](const std::string& text) {
    return parts_of(TextBreaks(BreakKind::sentence), text);
  };
  EXPECT_EQ(sentences("It is 3.5 m long. Is it? Yes!"), (Parts{"It is 3.5 m long. ", "Is it? ", "Yes!"}));
  EXPECT_EQ(sentences("今日は晴れ。明日は雨。"), (Parts{"今日は晴れ。", "明日は雨。"}));
  EXPECT_EQ(sentences("यह एक है। यह दो है।"), (Parts{"यह एक है। ", "यह दो है।"}));
  EXPECT_EQ(sentences(""), Parts{});
}

TEST(TextBreaks, FindWordsWhereNoSpacesAre) {
  const Parts words = parts_of(TextBreaks(BreakKind::word), "ภาษาไทย is one");
  EXPECT_EQ(words, (Parts{"ภาษา", "ไทย", " ", "is", " ", "one"}));
}

TEST(TextBreaks, KeepACharacterWithItsMarksTogether) {
  EXPECT_EQ(parts_of(TextBreaks(BreakKind::character), "e\xCC\x81👨‍👩‍👧x"),
            (Parts{"e\xCC\x81", "👨‍👩‍👧", "x"}));
}

TEST(TextBreaks, TellIdeographsFromLetters) {
  TextBreaks breaks(BreakKind::word);
  breaks.begin("abc東京");
  ASSERT_TRUE(breaks.next_end());
  EXPECT_FALSE(breaks.is_ideographic());
  ASSERT_TRUE(breaks.next_end());
  EXPECT_TRUE(breaks.is_ideographic());
}

TEST(TextBreaks, CanBeCopiedAndBegunAnew) {
  const TextBreaks original(BreakKind::word);
  TextBreaks copy = original.clone();
  EXPECT_EQ(parts_of(original.clone(), "a b"), (Parts{"a", " ", "b"}));
  copy.begin("c d");
  ASSERT_TRUE(copy.next_end());
  copy.begin("long");
  EXPECT_EQ(copy.next_end(), 4U);
}

TEST(TextBreaks, TakeOffWhiteSpace) {
  EXPECT_EQ(trimmed(" \n\ta b\r\v\f"), "a b");
  EXPECT_EQ(trimmed(" \n"), "");
  EXPECT_EQ(trimmed("\xC2\xA0x"), "\xC2\xA0x");
}

}  // namespace
}  // namespace parley::retrieval::chunking
