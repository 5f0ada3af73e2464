#pragma once
// How each supported pre-tokenizer cuts text into pieces before byte pairs are merged: one row of plain data
// for each, read by PreTokenScanner and the tokenizer. Constant, any thread, never fails.
// To add one: a row in the source, and its splitter in tests/goldens/tokenizer/make_tokenizer_goldens.py.

#include <array>
#include <string>
#include <string_view>

namespace parley::inference::tokenizer {

enum class Contractions { exact_case, any_case };         // 's 't 're 've 'm 'll 'd
enum class LetterPrefix { space, any_but_alphanumeric };  // what one piece of letters may begin with
enum class WhiteSpace { plain, ends_at_newlines };  // the second: symbols take the newlines after them, too
enum class Normalization { none, nfc };
enum class KnownWords {
  merged,
  taken_whole
};  // a piece that is a token: merged like any other, or looked up

struct PreTokenizerRules {
  std::array<std::string_view, 3> names;  // values of tokenizer.ggml.pre, the first is the usual one
  Contractions contractions = Contractions::exact_case;
  LetterPrefix letter_prefix = LetterPrefix::space;
  int max_number_length = 0;         // in characters; 0: no limit
  bool number_takes_space = false;   // a space before a number belongs to it
  bool numbers_split_first = false;  // each numeral stands alone, and text ends where one begins
  WhiteSpace white_space = WhiteSpace::plain;
  Normalization normalization = Normalization::none;
  KnownWords known_words = KnownWords::merged;
  bool add_bos = false;  // where the file does not say
};

// nullptr if there is none of that name.
const PreTokenizerRules* find_pre_tokenizer_rules(std::string_view name);

// "smollm, qwen2, …" for messages.
std::string supported_pre_tokenizers();

}  // namespace parley::inference::tokenizer
