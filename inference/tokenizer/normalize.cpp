#include "inference/tokenizer/normalize.h"

#include <unicode/uchar.h>
#include <unicode/unorm2.h>
#include <unicode/utf16.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <stdexcept>
#include <vector>

#include "inference/tokenizer/utf8.h"

namespace parley::inference::tokenizer {
namespace {

// Below U+0300, which the byte 0xCC introduces, every character is normal and none combines with one before
// it.
constexpr char32_t kFirstCombining = 0x300;
constexpr unsigned char kFirstCombiningLead = 0xCC;

struct Character {
  char32_t code_point = 0;
  std::uint8_t combining_class = 0;
};

const UNormalizer2* nfc_data() {
  UErrorCode error = U_ZERO_ERROR;
  const UNormalizer2* data = unorm2_getNFCInstance(&error);
  if (U_FAILURE(error)) {
    throw std::runtime_error(std::string("Unicode normalisation data of ICU cannot be loaded: ") +
                             u_errorName(error));
  }
  return data;
}

bool is_code_point(char32_t value) { return value < kInvalidByte; }

// The quick check of annex 15, with "maybe" taken as no.
bool is_surely_normal(const UNormalizer2* data, std::string_view text) {
  std::uint8_t last_class = 0;
  while (!text.empty()) {
    const Utf8Character character = first_character(text);
    text.remove_prefix(character.length);
    const auto code_point = static_cast<UChar32>(character.code_point);
    if (character.code_point < kFirstCombining || !is_code_point(character.code_point) ||
        unorm2_isInert(data, code_point)) {
      last_class = 0;
      continue;
    }
    const std::uint8_t combining_class = unorm2_getCombiningClass(data, code_point);
    if (combining_class != 0 && combining_class < last_class) return false;
    if (u_getIntPropertyValue(code_point, UCHAR_NFC_QUICK_CHECK) != UNORM_YES) return false;
    last_class = combining_class;
  }
  return true;
}

void append_decomposed(const UNormalizer2* data, char32_t code_point, std::vector<Character>& out) {
  constexpr std::int32_t kLongestDecomposition = 16;  // in UTF-16 units; the longest of Unicode 15 has 4
  UChar units[kLongestDecomposition];
  UErrorCode error = U_ZERO_ERROR;
  std::int32_t length = -1;
  if (code_point >= 0xC0 && is_code_point(code_point)) {
    length =
        unorm2_getDecomposition(data, static_cast<UChar32>(code_point), units, kLongestDecomposition, &error);
    if (U_FAILURE(error)) throw std::runtime_error("a character's decomposition in ICU's data is too long");
  }
  if (length < 0) {
    const bool may_combine = code_point >= kFirstCombining && is_code_point(code_point);
    out.push_back({code_point, may_combine ? unorm2_getCombiningClass(data, static_cast<UChar32>(code_point))
                                           : std::uint8_t{0}});
    return;
  }
  for (std::int32_t index = 0; index < length;) {
    UChar32 part = 0;
    U16_NEXT(units, index, length, part);
    out.push_back({static_cast<char32_t>(part), unorm2_getCombiningClass(data, part)});
  }
}

void sort_marks(std::vector<Character>& characters) {
  const auto is_mark = [](const Character& character) { return character.combining_class != 0; };
  const auto by_class = [](const Character& a, const Character& b) {
    return a.combining_class < b.combining_class;
  };
  auto begin = characters.begin();
  while ((begin = std::find_if(begin, characters.end(), is_mark)) != characters.end()) {
    const auto end = std::find_if_not(begin, characters.end(), is_mark);
    if (!std::is_sorted(begin, end, by_class)) std::stable_sort(begin, end, by_class);
    begin = end;
  }
}

char32_t compose_pair(const UNormalizer2* data, char32_t first, char32_t second) {
  if (!is_code_point(first) || second < kFirstCombining || !is_code_point(second)) return 0;
  const UChar32 composite =
      unorm2_composePair(data, static_cast<UChar32>(first), static_cast<UChar32>(second));
  return composite < 0 ? 0 : static_cast<char32_t>(composite);
}

// In place: what is written never overtakes what is read.
void compose(const UNormalizer2* data, std::vector<Character>& characters) {
  constexpr int kNothingBetween = -1;
  std::size_t size = 0;
  std::size_t starter = 0;
  bool has_starter = false;
  int last_class = kNothingBetween;
  for (std::size_t index = 0; index < characters.size(); ++index) {
    const Character character = characters[index];
    if (has_starter && last_class < character.combining_class) {
      const char32_t composite = compose_pair(data, characters[starter].code_point, character.code_point);
      if (composite != 0) {
        characters[starter].code_point = composite;
        continue;
      }
    }
    if (character.combining_class == 0) {
      starter = size;
      has_starter = true;
      last_class = kNothingBetween;
    } else {
      last_class = character.combining_class;
    }
    characters[size++] = character;
  }
  characters.resize(size);
}

}  // namespace

std::string_view to_nfc(std::string_view text, std::string& buffer) {
  const auto may_combine = [](char byte) { return static_cast<unsigned char>(byte) >= kFirstCombiningLead; };
  if (std::none_of(text.begin(), text.end(), may_combine)) return text;
  const UNormalizer2* data = nfc_data();
  if (is_surely_normal(data, text)) return text;
  std::vector<Character> characters;
  characters.reserve(text.size());
  for (std::string_view rest = text; !rest.empty();) {
    const Utf8Character character = first_character(rest);
    rest.remove_prefix(character.length);
    append_decomposed(data, character.code_point, characters);
  }
  sort_marks(characters);
  compose(data, characters);
  buffer.clear();
  for (const Character& character : characters) append_utf8(buffer, character.code_point);
  return buffer;
}

}  // namespace parley::inference::tokenizer
