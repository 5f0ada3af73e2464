// What may be cut, and where.

#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "retrieval/chunking/chunker.h"
#include "retrieval/chunking/text_breaks.h"
#include "tests/retrieval/chunking/document_maker.h"

namespace parley::retrieval::chunking {
namespace {

ChunkedDocument cut(const DocumentMaker& maker, int target, int max = 0) {
  return chunk_document(maker.document(), SpaceCounter(),
                        {.target_tokens = target, .max_tokens = max == 0 ? target : max});
}

bool is_border_of(BreakKind kind, const std::string& text, std::size_t at) {
  TextBreaks breaks(kind);
  breaks.begin(text);
  while (const auto end = breaks.next_end()) {
    if (*end == at) {
      return true;
    }
  }
  return at == 0;
}

TEST(ChunkerUnits, NeverCutAFenceThatFits) {
  const std::string fence = repeated("call one two\n", 12);  // 36 words
  DocumentMaker maker;
  maker.paragraph(numbered_sentences(4, 5)).code(fence).paragraph(numbered_sentences(4, 5)).code(fence);
  const ChunkedDocument result = cut(maker, 40);
  const std::string whole = fence.substr(0, fence.size() - 1);
  const auto holds_it = [&](const Chunk& chunk) { return chunk.text.find(whole) != std::string::npos; };
  EXPECT_EQ(std::count_if(result.chunks.begin(), result.chunks.end(), holds_it), 2);
  EXPECT_EQ(result.num_forced_cuts, 0);
}

TEST(ChunkerUnits, LetAFenceHaveUpToTheLimit) {
  DocumentMaker maker;
  maker.heading(1, "H").code(repeated("call one two\n", 25));
  const ChunkedDocument result = cut(maker, 40, 80);
  ASSERT_EQ(result.chunks.size(), 1U);
  EXPECT_EQ(result.chunks[0].num_tokens, 76);
}

TEST(ChunkerUnits, CutALongFenceAtItsLinesAndCountIt) {
  std::string code;
  for (int line = 0; line < 60; ++line) {
    code += line % 10 == 0 && line > 0 ? "\n    first line of it\n" : "    some more code\n";
  }
  const ChunkedDocument result = cut(DocumentMaker().code(code), 40);
  EXPECT_EQ(result.num_forced_cuts, 1);
  ASSERT_GE(result.chunks.size(), 5U);
  for (const Chunk& chunk : result.chunks) {
    EXPECT_EQ(chunk.text.substr(0, 4), "    ");
    EXPECT_EQ(chunk.text[4] == 'f' || chunk.text[4] == 's', true);
    EXPECT_LE(chunk.num_tokens, 40);
  }
  EXPECT_EQ(result.chunks[1].text.substr(0, 9), "    first");  // it is cut at a blank line
}

TEST(ChunkerUnits, KeepAHeadingWithWhatItHeads) {
  DocumentMaker maker;
  maker.heading(1, "Long table").code(repeated("call one two\n", 13));
  const ChunkedDocument result = cut(maker, 39, 48);
  ASSERT_EQ(result.chunks.size(), 1U);
  EXPECT_EQ(result.chunks[0].num_tokens, 41);
}

TEST(ChunkerUnits, CutNoHeadingFromTheFirstSentenceBelowIt) {
  DocumentMaker maker;
  maker.heading(1, repeated("long heading ", 7)).paragraph(numbered_sentences(6, 5));
  const ChunkedDocument result = cut(maker, 40);
  ASSERT_EQ(result.chunks.size(), 2U);
  EXPECT_NE(result.chunks[0].text.find("S0w0"), std::string::npos);
}

TEST(ChunkerUnits, CutBeforeAFenceRatherThanInTheTextBeforeIt) {
  DocumentMaker maker;
  maker.paragraph(numbered_sentences(6, 5)).code(repeated("call one\n", 10));
  const ChunkedDocument result = cut(maker, 40);
  ASSERT_EQ(result.chunks.size(), 2U);
  EXPECT_EQ(result.chunks[0].num_tokens, 30);
  EXPECT_EQ(result.chunks[1].text.substr(0, 8), "call one");
}

TEST(ChunkerUnits, CutALongTableBetweenRowsAndRepeatItsHeader) {
  DocumentMaker maker;
  maker.header_row("| Name | Price |");
  std::vector<std::string> rows;
  for (int row = 0; row < 40; ++row) {
    rows.push_back("| item" + std::to_string(row) + " | costs" + std::to_string(row) + " |");
    maker.row(rows.back());
  }
  const ChunkedDocument result = cut(maker, 40);
  ASSERT_GE(result.chunks.size(), 5U);
  std::size_t num_rows = 0;
  for (const Chunk& chunk : result.chunks) {
    EXPECT_EQ(chunk.text.substr(0, 17), "| Name | Price |\n");
    EXPECT_EQ(chunk.text.find("Price", 17), std::string::npos);
    EXPECT_LE(chunk.num_tokens, 40);
    EXPECT_EQ(chunk.num_tokens, SpaceCounter().count(chunk.text));
    for (const std::string& row : rows) {
      num_rows += chunk.text.find(row) != std::string::npos ? 1 : 0;
    }
  }
  EXPECT_EQ(num_rows, 40U);
  EXPECT_EQ(result.num_forced_cuts, 0);
  const Chunk& second = result.chunks[1];
  EXPECT_EQ(second.text,
            "| Name | Price |\n" +
                maker.document().text.substr(second.range.begin, second.range.end - second.range.begin));
}

TEST(ChunkerUnits, RepeatAHeaderOfSeveralRowsButNoneThatLeavesNoRoom) {
  DocumentMaker two;
  two.header_row("| Fruit |").header_row("| name price |");
  DocumentMaker wide;
  wide.header_row(repeated("column ", 30));
  for (int row = 0; row < 30; ++row) {
    two.row("| apple one |");
    wide.row("| apple one |");
  }
  EXPECT_EQ(cut(two, 40).chunks.back().text.substr(0, 23), "| Fruit |\n\n| name price");
  EXPECT_EQ(cut(wide, 40).chunks.back().text.substr(0, 7), "| apple");
}

TEST(ChunkerUnits, ForgetTheHeaderWhenItsTableEnds) {
  DocumentMaker maker;
  maker.header_row("| Name |").row("| pear |").paragraph("Between.");
  for (int row = 0; row < 40; ++row) {
    maker.row("| apple one |");
  }
  EXPECT_EQ(cut(maker, 40).chunks.back().text.substr(0, 7), "| apple");
}

TEST(ChunkerUnits, CutARowLongerThanTheLimitAndCountIt) {
  DocumentMaker maker;
  maker.header_row("| Name |").row(numbered_sentences(30, 5));
  const ChunkedDocument result = cut(maker, 40);
  EXPECT_EQ(result.num_forced_cuts, 1);
  for (const Chunk& chunk : result.chunks) {
    EXPECT_EQ(chunk.text.substr(0, 8), "| Name |");
    EXPECT_LE(chunk.num_tokens, 40);
    EXPECT_EQ(chunk.text.back(), '.');
  }
}

TEST(ChunkerUnits, FindSentencesInWrappedLines) {
  // Each line end would be a sentence's end to ICU; here none is.
  std::string text;
  for (int sentence = 0; sentence < 30; ++sentence) {
    text += "This one is of two\nlines that go on. ";
  }
  const ChunkedDocument result = cut(DocumentMaker().paragraph(text), 40);
  ASSERT_GE(result.chunks.size(), 4U);
  for (const Chunk& chunk : result.chunks) {
    EXPECT_EQ(chunk.text.substr(0, 4), "This");
    EXPECT_EQ(chunk.text.substr(chunk.text.size() - 3), "on.");
  }
}

TEST(ChunkerUnits, KeepANumberWithTheSentenceItCounts) {
  // To ICU "2." is a sentence; the words are so many that a border behind one would be nearest to the target.
  std::string text;
  for (int sentence = 0; sentence < 12; ++sentence) {
    text += std::to_string(sentence) + ". What has ten words in it is what this counts? ";
  }
  const DocumentMaker maker = DocumentMaker().paragraph(text);
  const ChunkedDocument result = chunk_document(
      maker.document(), SpaceCounter(), {.target_tokens = 45, .max_tokens = 45, .overlap_sentences = 0});
  ASSERT_GE(result.chunks.size(), 3U);
  for (const Chunk& chunk : result.chunks) {
    EXPECT_EQ(chunk.text.back(), '?');
  }
}

TEST(ChunkerUnits, FindSentencesOfChineseAndJapanese) {
  const std::string chinese = "我们今天去北京的图书馆看书。";
  const std::string japanese = "昨日は図書館で本を読みました。";
  for (const std::string& sentence : {chinese, japanese}) {
    const DocumentMaker maker = DocumentMaker().paragraph(repeated(sentence, 60));
    const ChunkedDocument result =
        chunk_document(maker.document(), *make_word_counter(), {.target_tokens = 64, .max_tokens = 64});
    ASSERT_GE(result.chunks.size(), 10U);
    EXPECT_EQ(result.num_forced_cuts, 0);
    for (const Chunk& chunk : result.chunks) {
      EXPECT_EQ(chunk.text.substr(0, sentence.size()), sentence);
      EXPECT_EQ(chunk.text.size() % sentence.size(), 0U);
    }
  }
}

TEST(ChunkerUnits, CutThaiBetweenWords) {
  const std::string sentence = "ภาษาไทยเป็นภาษาที่มีระดับเสียงของคำแน่นอน";
  const std::string text = repeated(sentence, 100);  // no space, no full stop
  const DocumentMaker maker = DocumentMaker().paragraph(text);
  const ChunkedDocument result =
      chunk_document(maker.document(), *make_word_counter(), {.target_tokens = 64, .max_tokens = 64});
  ASSERT_GE(result.chunks.size(), 10U);
  EXPECT_EQ(result.num_forced_cuts, 1);
  for (const Chunk& chunk : result.chunks) {
    EXPECT_TRUE(is_border_of(BreakKind::word, text, chunk.range.begin)) << chunk.range.begin;
    EXPECT_LE(chunk.num_tokens, 64);
  }
}

TEST(ChunkerUnits, CutALongSentenceBetweenWords) {
  const ChunkedDocument result = cut(DocumentMaker().paragraph(repeated("word ", 500)), 40);
  EXPECT_EQ(result.num_forced_cuts, 1);
  for (const Chunk& chunk : result.chunks) {
    EXPECT_EQ(chunk.text.size() % 5, 4U);
    EXPECT_LE(chunk.num_tokens, 40);
  }
}

TEST(ChunkerUnits, CutALongSentenceOfManyLinesAtTheirEnds) {
  const ChunkedDocument result = cut(DocumentMaker().paragraph(repeated("value of it, and\n", 90)), 40);
  for (const Chunk& chunk : result.chunks) {
    EXPECT_EQ(chunk.text.substr(0, 5), "value");
    EXPECT_EQ(chunk.text.substr(chunk.text.size() - 3), "and");
  }
}

TEST(ChunkerUnits, CutAWordOnlyBetweenCharacters) {
  const std::string family = "👨‍👩‍👧‍👦";
  const std::string accented = "e\xCC\x81\xCC\xA7";
  const std::string text = repeated(family + accented + "ก็", 150);
  const DocumentMaker maker = DocumentMaker().paragraph(text);
  const ChunkedDocument result =
      chunk_document(maker.document(), ByteCounter(), {.target_tokens = 64, .max_tokens = 64});
  ASSERT_GE(result.chunks.size(), 50U);
  EXPECT_EQ(result.num_forced_cuts, 1);
  for (const Chunk& chunk : result.chunks) {
    EXPECT_TRUE(is_border_of(BreakKind::character, text, chunk.range.begin)) << chunk.range.begin;
    EXPECT_LE(chunk.num_tokens, 64);
  }
}

TEST(ChunkerUnits, CutACharacterThatIsLongerThanTheLimitBetweenCodePoints) {
  const std::string text = "a" + repeated("\xCC\x81", 400);  // one character of 801 bytes
  const DocumentMaker maker = DocumentMaker().paragraph(text);
  const ChunkedDocument result =
      chunk_document(maker.document(), ByteCounter(), {.target_tokens = 64, .max_tokens = 64});
  ASSERT_GE(result.chunks.size(), 12U);
  for (const Chunk& chunk : result.chunks) {
    EXPECT_LE(chunk.num_tokens, 64);
    EXPECT_NE(chunk.text[0] & 0xC0, 0x80);
  }
}

TEST(ChunkerUnits, HaveABoundInBytesWhateverTheCounterSays) {
  class OneToken final : public TokenCounter {
   public:
    int count(std::string_view) const override { return 1; }
  };
  const DocumentMaker maker = DocumentMaker().paragraph(repeated("QUJD", 50'000));
  const ChunkedDocument result = chunk_document(maker.document(), OneToken(), {});
  ASSERT_GE(result.chunks.size(), 24U);
  for (const Chunk& chunk : result.chunks) {
    EXPECT_LE(chunk.text.size(), 256U * kMaxBytesPerToken);
  }
}

TEST(ChunkerUnits, FitWhereTheWholeHasMoreTokensThanItsParts) {
  // A tenth more for each line end inside.
  class JoiningCosts final : public TokenCounter {
   public:
    int count(std::string_view text) const override {
      const int words = SpaceCounter().count(text);
      return words + words / 10;
    }
  };
  DocumentMaker maker;
  for (int paragraph = 0; paragraph < 60; ++paragraph) {
    maker.paragraph("Five words are in it.");
  }
  const ChunkedDocument result =
      chunk_document(maker.document(), JoiningCosts(), {.target_tokens = 64, .max_tokens = 64});
  int words = 0;
  for (const Chunk& chunk : result.chunks) {
    EXPECT_LE(chunk.num_tokens, 64);
    words += SpaceCounter().count(chunk.text);
  }
  EXPECT_EQ(words, 300);
}

}  // namespace
}  // namespace parley::retrieval::chunking
