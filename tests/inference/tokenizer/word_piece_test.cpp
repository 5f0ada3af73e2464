#include "inference/tokenizer/word_piece.h"

#include <gtest/gtest.h>
#include <simdjson.h>

#include <stdexcept>

namespace parley::inference::tokenizer {
namespace {

const std::string kVocabulary = "[UNK]\n[CLS]\n[SEP]\nun\n##aff\n##able\n,\n\u4f60\nthe\n##s\nca\n##f\n##e\n";

std::vector<TokenId> ids(const WordPiece& words, std::string_view text) { return words.encode(text); }
using Ids = std::vector<TokenId>;

TEST(WordPiece, WordsBreakIntoTheLongestPieces) {
  const WordPiece words(kVocabulary, {});
  EXPECT_EQ(ids(words, "UNAFFABLE, thes"), (Ids{3, 4, 5, 6, 8, 9}));
  EXPECT_EQ(ids(words, "caf\u00e9"), (Ids{10, 11, 12}));
  EXPECT_EQ(ids(words, "un\u4f60the"), (Ids{3, 7, 8}));
  EXPECT_EQ(words.count("UNAFFABLE, thes"), 6u);
}

TEST(WordPiece, AWordWithAnUnknownPartIsUnknown) {
  const WordPiece words(kVocabulary, {});
  EXPECT_EQ(ids(words, "unx the"), (Ids{0, 8}));
  EXPECT_EQ(ids(words, std::string(101, 's')), Ids{0});
}

TEST(WordPiece, NamesOfSpecialTokensAreText) {
  const WordPiece words(kVocabulary, {});
  const Ids found = ids(words, "[CLS] the");
  EXPECT_EQ(std::count(found.begin(), found.end(), words.begin_id()), 0);
}

TEST(WordPiece, BytesThatAreNoTextAreLeftOut) {
  const WordPiece words(kVocabulary, {});
  EXPECT_EQ(ids(words,
                "th\xff"
                "e\xe4\xbd"),
            Ids{8});
}

TEST(WordPiece, AVocabularyWithoutItsSpecialTokensIsRefused) {
  EXPECT_THROW(WordPiece("a\nb\n", {}), std::runtime_error);
}

// Ids of `tokenizers` for texts in many languages and hostile ones, for four sets of rules.
TEST(WordPiece, IsTokenizers) {
  simdjson::dom::parser parser;
  const auto golden = parser.load(PARLEY_SOURCE_DIR "/tests/goldens/encoder/word_piece.json").value();
  std::string vocabulary;
  for (const auto piece : golden["vocabulary"]) vocabulary += std::string(std::string_view(piece)) + "\n";
  for (const auto rules : golden["rules"]) {
    WordPieceOptions options;
    options.lowercase = bool(rules["lowercase"]);
    options.strip_accents = bool(rules["strip_accents"]);
    options.split_han = bool(rules["split_han"]);
    const WordPiece words(vocabulary, options);
    const auto expected = rules["ids"].get_array().value();
    std::size_t index = 0;
    for (const auto text : golden["texts"]) {
      Ids wanted;
      for (const auto id : expected.at(index)) wanted.push_back(static_cast<TokenId>(std::int64_t(id)));
      EXPECT_EQ(ids(words, std::string_view(text)), wanted)
          << index << " " << options.lowercase << options.strip_accents << options.split_han;
      ++index;
    }
    EXPECT_EQ(index, expected.size());
  }
}

}  // namespace
}  // namespace parley::inference::tokenizer
