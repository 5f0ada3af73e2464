#pragma once
// Text to token ids as BERT's family does it (Devlin et al. 2019): cleaned, lower case, accents taken off,
// split at white space and punctuation, then each word into the longest pieces that the vocabulary has, from
// its beginning. Immutable after construction, any thread; linear in the text. The constructor throws
// std::runtime_error.

#include <cstddef>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "inference/tokenizer/tokenizer.h"

namespace parley::inference::tokenizer {

struct WordPieceOptions {
  bool lowercase = true;
  bool strip_accents = true;
  bool split_han = true;  // each CJK character is a word
  std::string unknown = "[UNK]";
  std::string begin = "[CLS]";
  std::string end = "[SEP]";
};

class WordPiece {
 public:
  // `vocabulary` as vocab.txt: a piece a line, the line's number is its id; pieces inside a word begin with
  // "##".
  WordPiece(std::string vocabulary, WordPieceOptions options);
  WordPiece(const WordPiece&) = delete;
  WordPiece& operator=(const WordPiece&) = delete;

  // Without the tokens of begin and end. Nothing in the text becomes a special token.
  std::vector<TokenId> encode(std::string_view text) const;
  // How many that are, without keeping them.
  std::size_t count(std::string_view text) const;

  int vocab_size() const { return static_cast<int>(num_pieces_); }
  TokenId begin_id() const { return begin_; }
  TokenId end_id() const { return end_; }

 private:
  template <typename Sink>
  void for_each_piece(std::string_view text, Sink sink) const;
  template <typename Sink>
  void split_word(std::string_view word, Sink& sink) const;
  TokenId require(const std::string& piece) const;

  const std::string text_;  // the vocabulary; the maps look into it
  const WordPieceOptions options_;
  std::unordered_map<std::string_view, TokenId> first_;   // pieces that begin a word
  std::unordered_map<std::string_view, TokenId> inside_;  // without their "##"
  std::size_t num_pieces_ = 0;
  std::size_t longest_ = 0;  // bytes
  TokenId unknown_ = 0, begin_ = 0, end_ = 0;
};

}  // namespace parley::inference::tokenizer
