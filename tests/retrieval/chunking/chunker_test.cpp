#include "retrieval/chunking/chunker.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "tests/retrieval/chunking/document_maker.h"

namespace parley::retrieval::chunking {
namespace {

using Texts = std::vector<std::string>;

ChunkedDocument chunked_by_words(const DocumentMaker& maker, int target, int max = 0, int overlap = 1) {
  return chunk_document(
      maker.document(), SpaceCounter(),
      {.target_tokens = target, .max_tokens = max == 0 ? target : max, .overlap_sentences = overlap});
}

TEST(Chunker, GivesNothingForADocumentWithoutText) {
  EXPECT_TRUE(chunked_by_words(DocumentMaker(), 40).chunks.empty());
  EXPECT_TRUE(chunked_by_words(DocumentMaker().paragraph(" \n\t ").paragraph(""), 40).chunks.empty());
}

TEST(Chunker, JoinsSmallNeighboursUnderOneHeading) {
  DocumentMaker maker;
  maker.heading(1, "Fruit").paragraph("Apples are red.").paragraph("Pears are green.");
  const ChunkedDocument result = chunked_by_words(maker, 40);
  EXPECT_EQ(texts_of(result), Texts{"Fruit\n\nApples are red.\n\nPears are green."});
  EXPECT_EQ(result.chunks[0].num_tokens, 7);
  EXPECT_EQ(result.chunks[0].heading_path, Texts{"Fruit"});
  EXPECT_EQ(result.num_forced_cuts, 0);
}

TEST(Chunker, NeverJoinsTextAcrossHeadingsAndKeepsTheirPath) {
  DocumentMaker maker;
  maker.heading(1, "Guide").paragraph("All of it.").heading(2, "Install").paragraph("Type make.");
  maker.heading(3, "Debian").paragraph("Use apt.").heading(2, "Run").paragraph("Type run.");
  const ChunkedDocument result = chunked_by_words(maker, 40);
  ASSERT_EQ(result.chunks.size(), 4U);
  EXPECT_EQ(result.chunks[0].heading_path, (Texts{"Guide"}));
  EXPECT_EQ(result.chunks[1].heading_path, (Texts{"Guide", "Install"}));
  EXPECT_EQ(result.chunks[2].heading_path, (Texts{"Guide", "Install", "Debian"}));
  EXPECT_EQ(result.chunks[3].heading_path, (Texts{"Guide", "Run"}));
  EXPECT_EQ(result.chunks[2].text, "Debian\n\nUse apt.");
}

TEST(Chunker, PutsAHeadingWithNothingBelowItBeforeTheNextSection) {
  DocumentMaker maker;
  maker.heading(1, "Book").heading(2, "Part").heading(3, "Chapter").paragraph("Text.");
  const ChunkedDocument result = chunked_by_words(maker, 40);
  ASSERT_EQ(result.chunks.size(), 1U);
  EXPECT_EQ(result.chunks[0].text, "Book\n\nPart\n\nChapter\n\nText.");
  EXPECT_EQ(result.chunks[0].heading_path, (Texts{"Book", "Part", "Chapter"}));
}

TEST(Chunker, JoinsManyBareHeadingsUpToTheTarget) {
  DocumentMaker maker;
  for (int entry = 0; entry < 60; ++entry) {
    maker.heading(2, "Entry number " + std::to_string(entry));
  }
  const ChunkedDocument result = chunked_by_words(maker, 60);
  EXPECT_GE(result.chunks.size(), 3U);
  EXPECT_LE(result.chunks.size(), 7U);
  for (const Chunk& chunk : result.chunks) {  // the path is that of what it ends with, not of a later one
    EXPECT_TRUE(chunk.text.ends_with(chunk.heading_path.back())) << chunk.text;
  }
}

TEST(Chunker, CutsAtAParagraphRatherThanInsideOne) {
  DocumentMaker maker;
  maker.paragraph(numbered_sentences(5, 6)).paragraph("P" + numbered_sentences(6, 6));
  const ChunkedDocument result = chunked_by_words(maker, 40);
  ASSERT_EQ(result.chunks.size(), 2U);
  EXPECT_EQ(result.chunks[0].num_tokens, 30);
  EXPECT_EQ(result.chunks[1].text.substr(0, 5), "PS0w0");
}

TEST(Chunker, RepeatsOneSentenceWhereAParagraphWasCut) {
  DocumentMaker maker;
  maker.paragraph(numbered_sentences(20, 5));
  const ChunkedDocument result = chunked_by_words(maker, 40);
  ASSERT_GE(result.chunks.size(), 3U);
  for (std::size_t at = 1; at < result.chunks.size(); ++at) {
    const std::string& before = result.chunks[at - 1].text;
    const std::string last_sentence = before.substr(before.rfind(" S") + 1);
    EXPECT_EQ(result.chunks[at].text.substr(0, last_sentence.size()), last_sentence);
    EXPECT_LE(result.chunks[at].num_tokens, 40);
  }
}

TEST(Chunker, RepeatsNothingWhenNothingIsToBeRepeated) {
  DocumentMaker maker;
  maker.paragraph(numbered_sentences(20, 5));
  const ChunkedDocument result = chunked_by_words(maker, 40, 40, 0);
  int total = 0;
  for (const Chunk& chunk : result.chunks) {
    total += chunk.num_tokens;
  }
  EXPECT_EQ(total, 100);
}

TEST(Chunker, RepeatsNoSentenceLongerThanAQuarterOfThePassage) {
  DocumentMaker maker;
  maker.paragraph(numbered_sentences(6, 15));
  const ChunkedDocument result = chunked_by_words(maker, 40);
  int total = 0;
  for (const Chunk& chunk : result.chunks) {
    total += chunk.num_tokens;
  }
  EXPECT_EQ(total, 90);
}

TEST(Chunker, RepeatsNothingOverAHeadingOrBetweenParagraphs) {
  DocumentMaker maker;
  for (int section = 0; section < 4; ++section) {
    maker.heading(1, "H").paragraph(numbered_sentences(6, 5));
    maker.paragraph(numbered_sentences(6, 5));
  }
  const ChunkedDocument result = chunked_by_words(maker, 40);
  ASSERT_EQ(result.chunks.size(), 8U);
  for (std::size_t at = 1; at < result.chunks.size(); ++at) {
    EXPECT_GE(result.chunks[at].range.begin, result.chunks[at - 1].range.end);
  }
}

TEST(Chunker, LeavesNoShortRest) {
  DocumentMaker maker;
  maker.paragraph(numbered_sentences(11, 4));
  const ChunkedDocument result = chunked_by_words(maker, 40, 40, 0);
  ASSERT_EQ(result.chunks.size(), 2U);
  EXPECT_GE(result.chunks[1].num_tokens, 16);
}

TEST(Chunker, GivesThePageOfTheFirstBlockAndTheBoxAroundItsBlocksThere) {
  DocumentMaker maker;
  maker.page(3).box({.left = 10, .top = 20, .right = 100, .bottom = 40}).paragraph("One.");
  maker.box({.left = 5, .top = 50, .right = 90, .bottom = 70}).paragraph("Two.");
  maker.page(4).box({.left = 0, .top = 0, .right = 900, .bottom = 900}).paragraph("Three.");
  const ChunkedDocument result = chunked_by_words(maker, 40);
  ASSERT_EQ(result.chunks.size(), 1U);
  EXPECT_EQ(result.chunks[0].page, 3);
  const documents::Box box = result.chunks[0].box;
  EXPECT_EQ(box.left, 5);
  EXPECT_EQ(box.top, 20);
  EXPECT_EQ(box.right, 100);
  EXPECT_EQ(box.bottom, 70);
}

TEST(Chunker, PutsRightWhatReadersGetWrong) {
  documents::Document document;
  document.text = "before \xC3\xA9 inside \xC3\xA9 after";
  documents::Block block;
  block.range = {.begin = 8, .end = 9};  // inside the first e with its accent
  document.blocks.push_back(block);
  block.range = {.begin = 2, .end = 5'000};
  document.blocks.push_back(block);
  block.range = {.begin = 900, .end = 3};
  document.blocks.push_back(block);
  const ChunkedDocument result = chunk_document(document, SpaceCounter(), {});
  EXPECT_EQ(texts_of(result), Texts{document.text});
}

TEST(Chunker, GivesTheSameForTheSame) {
  DocumentMaker maker;
  maker.heading(1, "H").paragraph(numbered_sentences(40, 9)).code("a\nb");
  const auto once = texts_of(chunked_by_words(maker, 64));
  EXPECT_EQ(once, texts_of(chunked_by_words(maker, 64)));
  EXPECT_GE(once.size(), 6U);
}

}  // namespace
}  // namespace parley::retrieval::chunking
