#include "inference/tokenizer/bert_words.h"

#include <unicode/uchar.h>
#include <unicode/unorm2.h>

#include <array>
#include <stdexcept>

#include "inference/tokenizer/utf8.h"

namespace parley::inference::tokenizer {
namespace {

constexpr char32_t kReplacement = 0xfffd;
constexpr char32_t kDottedCapitalI = 0x130;  // the one character whose lower case is two

enum class Role { dropped, space, punctuation, han, letter };

bool is_ascii_punctuation(char32_t c) {
  return (c >= 33 && c <= 47) || (c >= 58 && c <= 64) || (c >= 91 && c <= 96) || (c >= 123 && c <= 126);
}

// The ranges that BERT calls Chinese: CJK ideographs, no kana and no hangul.
bool is_han(char32_t c) {
  return (c >= 0x4e00 && c <= 0x9fff) || (c >= 0x3400 && c <= 0x4dbf) || (c >= 0x20000 && c <= 0x2a6df) ||
         (c >= 0x2a700 && c <= 0x2b73f) || (c >= 0x2b740 && c <= 0x2b81f) || (c >= 0x2b920 && c <= 0x2ceaf) ||
         (c >= 0xf900 && c <= 0xfaff) || (c >= 0x2f800 && c <= 0x2fa1f);
}

bool is_mark(char32_t c) { return u_charType(static_cast<UChar32>(c)) == U_NON_SPACING_MARK; }

Role role_of(char32_t c) {
  if (c == '\t' || c == '\n' || c == '\r') return Role::space;
  if (c == 0 || c == kReplacement) return Role::dropped;
  if (u_isUWhiteSpace(static_cast<UChar32>(c)) != 0) return Role::space;
  const auto mask = U_GET_GC_MASK(static_cast<UChar32>(c));
  if ((mask & (U_GC_CC_MASK | U_GC_CF_MASK | U_GC_CO_MASK | U_GC_CS_MASK)) != 0) return Role::dropped;
  if (is_ascii_punctuation(c) || (mask & U_GC_P_MASK) != 0) return Role::punctuation;
  return is_han(c) ? Role::han : Role::letter;
}

const UNormalizer2* nfd() {
  UErrorCode status = U_ZERO_ERROR;
  const UNormalizer2* normalizer = unorm2_getNFDInstance(&status);
  if (U_FAILURE(status) != 0) throw std::runtime_error("ICU lacks its data for normalisation");
  return normalizer;
}

void append_decomposed(char32_t c, std::u32string& out) {
  static const UNormalizer2* const kNormalizer = nfd();
  std::array<UChar, 32> parts{};
  UErrorCode status = U_ZERO_ERROR;
  const std::int32_t length = unorm2_getDecomposition(kNormalizer, static_cast<UChar32>(c), parts.data(),
                                                      static_cast<std::int32_t>(parts.size()), &status);
  if (length < 0 || U_FAILURE(status) != 0) {
    out.push_back(c);
    return;
  }
  for (std::int32_t i = 0; i < length;) {
    UChar32 part = 0;
    U16_NEXT(parts.data(), i, length, part);
    out.push_back(static_cast<char32_t>(part));
  }
}

}  // namespace

void BertWords::fold(char32_t character, std::u32string& out) const {
  out.clear();
  if (rules_.strip_accents) {
    append_decomposed(character, out);
    std::erase_if(out, is_mark);
  } else {
    out.push_back(character);
  }
  if (!rules_.lowercase) return;
  if (out.size() == 1 && out[0] == kDottedCapitalI) {
    out = {U'i', char32_t{0x307}};
    return;
  }
  for (char32_t& c : out) c = static_cast<char32_t>(u_tolower(static_cast<UChar32>(c)));
}

bool BertWords::next(std::string& word) {
  word.clear();
  for (;;) {
    while (position_ < folded_.size()) {
      const char32_t c = folded_[position_];
      const Role role = role_of(c);
      const bool stands_alone = role == Role::punctuation || (role == Role::han && rules_.split_han);
      if (stands_alone && !word.empty()) return true;  // it is the next word
      ++position_;
      if (role == Role::space && !word.empty()) return true;
      if (role == Role::space) continue;
      append_utf8(word, c);
      if (stands_alone) return true;
    }
    if (rest_.empty()) return !word.empty();
    const Utf8Part part = first_utf8_part(rest_);
    rest_.remove_prefix(part.length);
    position_ = 0;
    folded_.clear();
    if (part.kind != Utf8Kind::character) continue;  // as U+FFFD, which is dropped
    const Role role = role_of(part.code_point);
    if (role == Role::dropped) continue;
    if (role == Role::space) {
      folded_.push_back(U' ');
    } else {
      fold(part.code_point, folded_);
    }
  }
}

}  // namespace parley::inference::tokenizer
