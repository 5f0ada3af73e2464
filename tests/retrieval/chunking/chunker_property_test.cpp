// What holds for every document: random blocks of random text in several scripts.

#include <gtest/gtest.h>

#include <memory>
#include <random>
#include <string>
#include <vector>

#include "retrieval/chunking/chunker.h"
#include "tests/retrieval/chunking/document_maker.h"

namespace parley::retrieval::chunking {
namespace {

class RandomDocument {
 public:
  explicit RandomDocument(unsigned seed) : random_(seed) {}

  documents::Document make() {
    DocumentMaker maker;
    const int blocks = below(60);
    for (int block = 0; block < blocks; ++block) {
      if (below(12) == 0) {
        maker.page(below(9));
      }
      const auto kind = static_cast<documents::BlockKind>(below(7));
      maker.add(kind, text(below(20) == 0 ? 700 : 1 + below(60)), below(8));
    }
    documents::Document document = maker.document();
    if (below(5) == 0) {  // a reader that lies about its blocks
      for (documents::Block& block : document.blocks) {
        block.range.begin += static_cast<std::size_t>(below(9));
        block.range.end += static_cast<std::size_t>(below(40));
      }
    }
    return document;
  }

  int below(int limit) { return static_cast<int>(random_() % static_cast<unsigned>(limit)); }

 private:
  std::string text(int words) {
    static const std::vector<std::string> kWords = {
        "the",
        "sentence",
        "ends.",
        "Here",
        "begins",
        "a",
        "internationalisation",
        "3.14",
        "don't",
        "x=y;",
        "Übergröße",
        "日本語の文章。",
        "東京",
        "ภาษาไทย",
        "Привет,",
        "мир!",
        "👨‍👩‍👧",
        "e\xCC\x81",
        "—",
        "?",
        "https://example.org/a/very/long/path?with=query&more=of-it#fragment",
        "\u3000",
        "\u00A0"};
    std::string text;
    for (int word = 0; word < words; ++word) {
      text += kWords[static_cast<std::size_t>(below(static_cast<int>(kWords.size())))];
      const int gap = below(14);
      text += gap == 0 ? "\n" : gap == 1 ? "" : gap == 2 ? "  \n\n\t" : " ";
    }
    if (below(30) == 0) {
      text += repeated("abcdefgh", below(200));
    }
    return text;
  }

  std::mt19937 random_;
};

void expect_everything_is_in_a_chunk(const documents::Document& document, const ChunkedDocument& result) {
  std::vector<bool> is_in(document.text.size());
  for (const Chunk& chunk : result.chunks) {
    for (std::size_t at = chunk.range.begin; at < chunk.range.end; ++at) {
      is_in[at] = true;
    }
  }
  for (std::size_t at = 0; at < is_in.size(); ++at) {
    const char byte = document.text[at];
    const bool space = byte == ' ' || (byte >= '\t' && byte <= '\r');
    ASSERT_TRUE(space || is_in[at]) << "byte " << at << " is in no chunk";
  }
}

void expect_sound_chunks(const documents::Document& document, const ChunkedDocument& result,
                         const TokenCounter& counter, int max_tokens) {
  for (std::size_t at = 0; at < result.chunks.size(); ++at) {
    const Chunk& chunk = result.chunks[at];
    ASSERT_LT(chunk.range.begin, chunk.range.end);
    ASSERT_LE(chunk.range.end, document.text.size());
    if (at > 0) {
      ASSERT_LT(result.chunks[at - 1].range.begin, chunk.range.begin);
      ASSERT_LT(result.chunks[at - 1].range.end, chunk.range.end);
    }
    ASSERT_LE(chunk.num_tokens, max_tokens);
    ASSERT_EQ(chunk.num_tokens, counter.count(chunk.text));
    const std::string own = document.text.substr(chunk.range.begin, chunk.range.end - chunk.range.begin);
    ASSERT_GE(chunk.text.size(), own.size());
    ASSERT_EQ(chunk.text.substr(chunk.text.size() - own.size()), own);
    ASSERT_NE(chunk.text[0] & 0xC0, 0x80) << "begins inside a UTF-8 sequence";
    ASSERT_TRUE(chunk.range.end == document.text.size() || (document.text[chunk.range.end] & 0xC0) != 0x80);
    ASSERT_LE(chunk.heading_path.size(), 9U);
  }
}

TEST(ChunkerProperties, HoldForRandomDocuments) {
  const std::unique_ptr<TokenCounter> words = make_word_counter();
  const SpaceCounter spaces;
  const ByteCounter bytes;
  const std::vector<const TokenCounter*> counters = {words.get(), &spaces, &bytes};
  std::size_t num_chunks = 0;
  for (unsigned seed = 0; seed < 300; ++seed) {
    RandomDocument random(seed);
    const documents::Document document = random.make();
    const int target = 16 + random.below(200);
    const int max = target + random.below(100);
    const TokenCounter& counter = *counters[seed % counters.size()];
    const ChunkedDocument result =
        chunk_document(document, counter,
                       {.target_tokens = target, .max_tokens = max, .overlap_sentences = random.below(3)});
    SCOPED_TRACE("seed " + std::to_string(seed));
    ASSERT_NO_FATAL_FAILURE(expect_everything_is_in_a_chunk(document, result));
    ASSERT_NO_FATAL_FAILURE(expect_sound_chunks(document, result, counter, max));
    num_chunks += result.chunks.size();
  }
  EXPECT_GT(num_chunks, 3'000U);
}

TEST(ChunkerProperties, HoldForBytesThatAreNoText) {
  std::mt19937 random(7);
  const std::unique_ptr<TokenCounter> words = make_word_counter();
  for (int round = 0; round < 50; ++round) {
    documents::Document document;
    for (int at = 0; at < 4'000; ++at) {
      document.text.push_back(static_cast<char>(random()));
    }
    for (int block = 0; block < 40; ++block) {
      documents::Block random_block;
      random_block.kind = static_cast<documents::BlockKind>(random() % 7);
      random_block.level = static_cast<int>(random());
      random_block.range = {.begin = random() % 5'000, .end = random() % 5'000};
      document.blocks.push_back(random_block);
    }
    expect_everything_is_in_a_chunk(document, chunk_document(document, *words, {}));
  }
}

}  // namespace
}  // namespace parley::retrieval::chunking
