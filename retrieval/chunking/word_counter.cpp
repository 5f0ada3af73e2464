// Calibrated on English prose (tests/goldens/chunking): how many pieces the 30,522 WordPieces of BERT make of
// words and numbers by their length.

#include <unicode/uchar.h>
#include <unicode/utf8.h>

#include <algorithm>
#include <cstdint>
#include <memory>
#include <string_view>

#include "retrieval/chunking/chunker.h"
#include "retrieval/chunking/text_breaks.h"

namespace parley::retrieval::chunking {
namespace {

enum class CharacterClass { space, letter, digit, foreign_letter, mark };

CharacterClass class_of_ascii(unsigned char c) {
  if ((c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z')) {
    return CharacterClass::letter;
  }
  if (c >= '0' && c <= '9') {
    return CharacterClass::digit;
  }
  return c <= ' ' ? CharacterClass::space : CharacterClass::mark;
}

CharacterClass class_of(UChar32 c) {
  if (c >= 0 && c < 0x80) {
    return class_of_ascii(static_cast<unsigned char>(c));
  }
  if (c < 0 || u_isUWhiteSpace(c) != 0) {
    return c < 0 ? CharacterClass::mark : CharacterClass::space;
  }
  if (c < 0x250) {  // Latin with accents, which the vocabulary's normalizer takes off
    return u_isalpha(c) != 0 ? CharacterClass::letter : CharacterClass::mark;
  }
  const bool in_word = u_isalnum(c) != 0 || (U_GET_GC_MASK(c) & U_GC_M_MASK) != 0;
  return in_word ? CharacterClass::foreign_letter : CharacterClass::mark;
}

// What a run of characters of one class becomes.
int pieces_of(CharacterClass kind, int length) {
  switch (kind) {
    case CharacterClass::space:
      return 0;
    case CharacterClass::letter:
      return 1 + std::max(0, length - 6) / 4;
    case CharacterClass::digit:
      return (length + 1) / 2;
    case CharacterClass::foreign_letter:
      return 1 + (length - 1) / 2;
    case CharacterClass::mark:
      break;
  }
  return length;
}

int count_pieces(std::string_view text) {
  const auto* bytes = reinterpret_cast<const std::uint8_t*>(text.data());
  const auto size = static_cast<std::int32_t>(text.size());
  int total = 0;
  int length = 0;
  CharacterClass current = CharacterClass::space;
  for (std::int32_t at = 0; at < size;) {
    UChar32 c = 0;
    U8_NEXT(bytes, at, size, c);
    const CharacterClass kind = class_of(c);
    if (kind != current) {
      total += pieces_of(current, length);
      current = kind;
      length = 0;
    }
    ++length;
  }
  return total + pieces_of(current, length);
}

int count_characters(std::string_view text) {
  return static_cast<int>(std::count_if(text.begin(), text.end(), [](char c) { return (c & 0xC0) != 0x80; }));
}

class WordCounter final : public TokenCounter {
 public:
  int count(std::string_view text) const override {
    // Words of ASCII alone end where ICU says and at marks; both are seen without it.
    if (std::all_of(text.begin(), text.end(), [](char c) { return (c & 0x80) == 0; })) {
      return count_pieces(text);
    }
    TextBreaks breaks = words_.clone();
    breaks.begin(text);
    int total = 0;
    std::size_t begin = 0;
    while (const auto end = breaks.next_end()) {
      const std::string_view word = text.substr(begin, *end - begin);
      total += breaks.is_ideographic() ? count_characters(word) : count_pieces(word);
      begin = *end;
    }
    return total;
  }

 private:
  TextBreaks words_{BreakKind::word};
};

}  // namespace

std::unique_ptr<TokenCounter> make_word_counter() { return std::make_unique<WordCounter>(); }

}  // namespace parley::retrieval::chunking
