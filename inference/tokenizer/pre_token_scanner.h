#pragma once
// Cuts a text into the pieces inside which byte pairs are merged, as the regular expressions named in
// pre_tokenizer_rules.cpp do, in one pass without backtracking. One object per text, used by one thread;
// never fails. Borrows its arguments. Reads each character at most six times.

#include <cstddef>
#include <string_view>

#include "inference/tokenizer/character_table.h"
#include "inference/tokenizer/pre_tokenizer_rules.h"

namespace parley::inference::tokenizer {

class PreTokenScanner {
 public:
  PreTokenScanner(const PreTokenizerRules& rules, const CharacterTable& table, std::string_view text)
      : rules_(rules), table_(table), text_(text) {}

  bool done() const { return begin_ == text_.size(); }

  // The next piece, never empty. Only while not done. The pieces together are the text.
  std::string_view next();

  // Counts work, so that a test can hold the bound above without a clock.
  std::size_t characters_read() const { return characters_read_; }

 private:
  struct Character {
    CharacterKind kind = CharacterKind::none;
    std::size_t end = 0;
  };

  Character read(std::size_t begin);
  std::size_t skip(std::size_t begin, CharacterKind kind);
  std::size_t piece_end();
  std::size_t contraction_end() const;
  std::size_t number_end(std::size_t end_of_first);
  std::size_t symbols_end(std::size_t end_of_first);
  std::size_t white_space_end();
  bool may_precede_letters(Character first) const;

  const PreTokenizerRules& rules_;
  const CharacterTable& table_;
  std::string_view text_;
  std::size_t begin_ = 0;  // of the piece to come
  std::size_t characters_read_ = 0;
};

}  // namespace parley::inference::tokenizer
