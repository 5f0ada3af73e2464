#pragma once
// Splits text into words as BERT's normaliser and pre-tokenizer do (google-research/bert, BasicTokenizer; the
// rules of `tokenizers`, which differ in what counts as control). Pure, any thread.

#include <string>
#include <string_view>

namespace parley::inference::tokenizer {

struct BertWordRules {
  bool lowercase = true;
  bool strip_accents = true;
  bool split_han = true;
};

// Takes the words of a text one after another. The text outlives it.
class BertWords {
 public:
  BertWords(std::string_view text, const BertWordRules& rules) : rest_(text), rules_(rules) {}

  // False: there is none left. A word is valid UTF-8 and has at least one character.
  bool next(std::string& word);

 private:
  // Appends what becomes of a character; empty for what is dropped.
  void fold(char32_t character, std::u32string& out) const;

  std::string_view rest_;
  const BertWordRules rules_;
  std::u32string folded_;  // of the character that was read last, from `position_` on not yet used
  std::size_t position_ = 0;
};

}  // namespace parley::inference::tokenizer
