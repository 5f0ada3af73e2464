#include "retrieval/index/text_units.h"

#include <unicode/uchar.h>
#include <unicode/uscript.h>
#include <unicode/utf8.h>

#include <algorithm>
#include <cstddef>

namespace parley::retrieval::index {
namespace {

// Longer words are no words: encoded data, lines of a table. Their beginning stands for them.
constexpr std::size_t kMaxWordBytes = 128;

enum class Class : std::uint8_t { separator, lower, upper, digit, underscore, mark, unspaced };

bool is_unspaced(UChar32 c) {
  if (c < 0x0E00) return false;
  UErrorCode status = U_ZERO_ERROR;
  switch (uscript_getScript(c, &status)) {
    case USCRIPT_HAN:
    case USCRIPT_HIRAGANA:
    case USCRIPT_KATAKANA:
    case USCRIPT_HANGUL:
    case USCRIPT_BOPOMOFO:
    case USCRIPT_THAI:
    case USCRIPT_LAO:
    case USCRIPT_KHMER:
    case USCRIPT_MYANMAR:
    case USCRIPT_TIBETAN:
      return true;
    default:
      return c == 0x30FC || c == 0x3005;  // the long vowel and iteration marks of Japanese
  }
}

Class class_of(UChar32 c) {
  if (c < 0) return Class::separator;
  if (c == '_') return Class::underscore;
  if (c < 0x80) {
    if (c >= 'a' && c <= 'z') return Class::lower;
    if (c >= 'A' && c <= 'Z') return Class::upper;
    return c >= '0' && c <= '9' ? Class::digit : Class::separator;
  }
  const std::uint32_t category = U_GET_GC_MASK(c);
  if ((category & (U_GC_MN_MASK | U_GC_MC_MASK)) != 0) return Class::mark;
  if ((category & U_GC_N_MASK) != 0) return Class::digit;
  if ((category & U_GC_L_MASK) == 0) return Class::separator;
  if (is_unspaced(c)) return Class::unspaced;
  return (category & (U_GC_LU_MASK | U_GC_LT_MASK)) != 0 ? Class::upper : Class::lower;
}

struct Character {
  UChar32 code = 0;
  Class kind = Class::separator;
  std::size_t begin = 0, end = 0;  // bytes
};

class Characters {
 public:
  explicit Characters(std::string_view text) : text_(text) {}

  Character at(std::size_t begin) const {
    Character c;
    c.begin = c.end = begin;
    if (begin >= text_.size()) return c;
    const auto* bytes = reinterpret_cast<const std::uint8_t*>(text_.data());
    auto position = static_cast<std::int64_t>(begin);
    U8_NEXT(bytes, position, static_cast<std::int64_t>(text_.size()), c.code);
    c.end = static_cast<std::size_t>(position);
    c.kind = class_of(c.code);
    return c;
  }
  std::string_view text() const { return text_; }

 private:
  std::string_view text_;
};

void append_lower(std::string& word, UChar32 c) {
  if (word.size() >= kMaxWordBytes) return;
  const UChar32 lower = u_tolower(c);
  std::uint8_t bytes[U8_MAX_LENGTH];
  std::int32_t size = 0;
  U8_APPEND_UNSAFE(bytes, size, lower);
  word.append(reinterpret_cast<const char*>(bytes), static_cast<std::size_t>(size));
}

bool is_word_class(Class kind) { return kind != Class::separator && kind != Class::unspaced; }

// The bytes of what joins the words of one identifier: '.' or "::" before a further word character; else 0.
std::size_t joiner_bytes(const Characters& characters, std::size_t at) {
  const std::string_view rest = characters.text().substr(at);
  const std::size_t size = rest.starts_with("::") ? 2 : rest.starts_with('.') ? 1 : 0;
  if (size == 0) return 0;
  const Class next = characters.at(at + size).kind;
  return is_word_class(next) && next != Class::mark ? size : 0;
}

// Splits the words of an identifier where a capital follows a small letter or digit (getName), where the last
// of several capitals begins a word (HTTPServer), and at underscores.
class PartSplitter {
 public:
  void add(const Character& c, Class next) {
    const bool hump = c.kind == Class::upper && (before_ == Class::lower || before_ == Class::digit ||
                                                 (before_ == Class::upper && next == Class::lower));
    if (hump || c.kind == Class::underscore) end_part();
    if (c.kind != Class::underscore) append_lower(part_, c.code);
    if (c.kind != Class::mark) before_ = c.kind;
  }
  void end_part() {
    if (!part_.empty()) parts_.push_back(std::move(part_));
    part_.clear();
  }
  void end_word() {
    end_part();
    before_ = Class::separator;
  }
  std::vector<std::string> take() { return std::move(parts_); }

 private:
  std::string part_;
  std::vector<std::string> parts_;
  Class before_ = Class::separator;
};

// Reads the word or identifier that begins at `at`.
TextUnit read_word(const Characters& characters, std::size_t at) {
  TextUnit unit;
  const std::size_t begin = at;
  PartSplitter splitter;
  std::string word;
  for (;;) {
    const Character c = characters.at(at);
    if (is_word_class(c.kind)) {
      splitter.add(c, characters.at(c.end).kind);
      append_lower(word, c.code);
      at = c.end;
      continue;
    }
    const std::size_t joiner = word.empty() ? 0 : joiner_bytes(characters, at);
    splitter.end_word();
    if (!word.empty()) unit.words.push_back(std::move(word));
    word.clear();
    if (joiner == 0) break;
    at += joiner;
  }
  unit.text = characters.text().substr(begin, at - begin);
  unit.parts = splitter.take();
  if (unit.parts.size() <= unit.words.size()) unit.parts.clear();
  if (unit.words.size() > 1 || !unit.parts.empty()) unit.kind = UnitKind::identifier;
  return unit;
}

TextUnit read_unspaced(const Characters& characters, std::size_t at) {
  TextUnit unit;
  unit.kind = UnitKind::unspaced;
  const std::size_t begin = at;
  std::string last;
  for (Character c = characters.at(at); c.kind == Class::unspaced || c.kind == Class::mark;
       c = characters.at(at)) {
    at = c.end;
    if (c.kind == Class::mark) continue;
    const std::string now(characters.text().substr(c.begin, c.end - c.begin));
    if (!last.empty()) unit.words.push_back(last + now);
    last = now;
  }
  if (unit.words.empty()) unit.words.push_back(last);
  unit.text = characters.text().substr(begin, at - begin);
  return unit;
}

void append_words(std::string& line, const std::vector<std::string>& words) {
  for (const std::string& word : words) {
    if (!line.empty()) line += ' ';
    line += word;
  }
}

std::string last_character(std::string_view text) {
  std::size_t begin = text.size();
  while (begin > 0 && (static_cast<unsigned char>(text[--begin]) & 0xC0) == 0x80) {
  }
  return std::string(text.substr(begin));
}

}  // namespace

std::vector<TextUnit> text_units(std::string_view text) {
  std::vector<TextUnit> units;
  const Characters characters(text);
  for (std::size_t at = 0; at < text.size();) {
    const Character c = characters.at(at);
    if (c.kind == Class::separator || c.kind == Class::mark) {
      at = c.end;
      continue;
    }
    TextUnit unit = c.kind == Class::unspaced ? read_unspaced(characters, at) : read_word(characters, at);
    at += unit.text.size();
    // Underscores alone are no word.
    if (unit.text.find_first_not_of('_') != std::string_view::npos) units.push_back(std::move(unit));
  }
  return units;
}

std::string form_of(std::string_view word) { return std::string(word) + '_'; }

IndexedText index_text(std::string_view text) {
  IndexedText indexed;
  for (const TextUnit& unit : text_units(text)) {
    append_words(indexed.words, unit.words);
    append_words(indexed.parts, unit.parts);
    if (unit.kind != UnitKind::unspaced) {
      for (const std::string& word : unit.words) append_words(indexed.forms, {form_of(word)});
    }
    const bool has_pairs = unit.kind == UnitKind::unspaced && unit.words.front() != unit.text;
    if (has_pairs) append_words(indexed.words, {last_character(unit.words.back())});
  }
  return indexed;
}

}  // namespace parley::retrieval::index
