#pragma once
// What full text is made of: words, identifiers with their parts, and runs of scripts that put no space
// between words (Chinese, Japanese, Korean, Thai, Khmer, Lao, Burmese, Tibetan), looked for as pairs of
// characters. The same for passages and for questions. Pure functions, any thread, never fail; bytes that are
// not UTF-8 separate words.

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace parley::retrieval::index {

enum class UnitKind : std::uint8_t {
  word,
  identifier,  // getUserName, max_file_bytes, os.path, File::Spec, 3.11
  unspaced,
};

struct TextUnit {
  UnitKind kind = UnitKind::word;
  std::string_view text;           // as it is written
  std::vector<std::string> words;  // in lower case: one; of os.path two; of an unspaced run its pairs
  std::vector<std::string> parts;  // of identifiers with humps or underscores: get user name; else empty
};

std::vector<TextUnit> text_units(std::string_view text);

// What is indexed of a text: words by spaces, each unspaced run with its last character alone behind its
// pairs, so that any one character begins a word.
struct IndexedText {
  std::string words;
  std::string parts;
  std::string forms;  // the words but those of unspaced runs, as form_of has them
};
IndexedText index_text(std::string_view text);

// The word in a way that the index's stemmer leaves alone.
std::string form_of(std::string_view word);

}  // namespace parley::retrieval::index
