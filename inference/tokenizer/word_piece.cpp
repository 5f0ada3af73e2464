#include "inference/tokenizer/word_piece.h"

#include <algorithm>
#include <stdexcept>
#include <utility>

#include "inference/tokenizer/bert_words.h"
#include "inference/tokenizer/utf8.h"

namespace parley::inference::tokenizer {
namespace {

constexpr std::size_t kMaxWordCharacters = 100;  // longer words are unknown as a whole
constexpr std::string_view kInsidePrefix = "##";

std::size_t num_characters(std::string_view word) {
  return static_cast<std::size_t>(std::count_if(
      word.begin(), word.end(), [](char c) { return (static_cast<unsigned char>(c) & 0xc0) != 0x80; }));
}

}  // namespace

WordPiece::WordPiece(std::string vocabulary, WordPieceOptions options)
    : text_(std::move(vocabulary)), options_(std::move(options)) {
  std::string_view rest = text_;
  while (!rest.empty()) {
    const std::size_t end = std::min(rest.find('\n'), rest.size());
    std::string_view piece = rest.substr(0, end);
    rest.remove_prefix(std::min(end + 1, rest.size()));
    if (!piece.empty() && piece.back() == '\r') piece.remove_suffix(1);
    const auto id = static_cast<TokenId>(num_pieces_++);
    longest_ = std::max(longest_, piece.size());
    if (piece.size() > kInsidePrefix.size() && piece.substr(0, kInsidePrefix.size()) == kInsidePrefix) {
      inside_.emplace(piece.substr(kInsidePrefix.size()), id);
    } else {
      first_.emplace(piece, id);
    }
  }
  unknown_ = require(options_.unknown);
  begin_ = require(options_.begin);
  end_ = require(options_.end);
}

TokenId WordPiece::require(const std::string& piece) const {
  const auto found = first_.find(piece);
  if (found == first_.end()) throw std::runtime_error("the vocabulary has no token " + piece);
  return found->second;
}

// The longest piece first; a word of which any part is unknown is unknown as a whole.
template <typename Sink>
void WordPiece::split_word(std::string_view word, Sink& sink) const {
  std::vector<TokenId> pieces;
  if (num_characters(word) > kMaxWordCharacters) {
    sink(unknown_);
    return;
  }
  for (std::string_view rest = word; !rest.empty();) {
    const auto& known = pieces.empty() ? first_ : inside_;
    std::size_t length = std::min(rest.size(), longest_);
    auto found = known.end();
    for (; length > 0; --length) {
      if (!is_character_border(rest, length)) continue;
      found = known.find(rest.substr(0, length));
      if (found != known.end()) break;
    }
    if (length == 0) {
      sink(unknown_);
      return;
    }
    pieces.push_back(found->second);
    rest.remove_prefix(length);
  }
  for (const TokenId piece : pieces) sink(piece);
}

template <typename Sink>
void WordPiece::for_each_piece(std::string_view text, Sink sink) const {
  BertWords words(text, {options_.lowercase, options_.strip_accents, options_.split_han});
  std::string word;
  while (words.next(word)) split_word(word, sink);
}

std::vector<TokenId> WordPiece::encode(std::string_view text) const {
  std::vector<TokenId> ids;
  for_each_piece(text, [&](TokenId id) { ids.push_back(id); });
  return ids;
}

std::size_t WordPiece::count(std::string_view text) const {
  std::size_t count = 0;
  for_each_piece(text, [&](TokenId) { ++count; });
  return count;
}

}  // namespace parley::inference::tokenizer
