#include "inference/grammar/text_class.h"

#include <algorithm>

#include "inference/grammar/regex_escape.h"
#include "inference/tokenizer/utf8.h"

namespace parley::inference::grammar {
namespace {

constexpr char32_t kFirstBeyondAscii = 0x80;
// The two line ends that `.` of a pattern does not take are left out.
constexpr CodePointRange kBeforeLineEnds = {kFirstBeyondAscii, 0x2027};
constexpr CodePointRange kBehindLineEnds = {0x202A, 0x10FFFF};

using ClassSets = std::array<CodePointSet, kNumTextClasses>;

const CodePointSet& safe_characters() {
  static const CodePointSet kSet{
      {0x20, '"' - 1}, {'"' + 1, '\\' - 1}, {'\\' + 1, 0x7E}, kBeforeLineEnds, kBehindLineEnds};
  return kSet;
}

ClassSets make_class_sets() {
  ClassSets sets;
  const auto set = [&](TextClass text) -> CodePointSet& { return sets[static_cast<std::size_t>(text)]; };
  set(TextClass::safe) = safe_characters();
  set(TextClass::unspaced) = intersect(safe_characters(), ecma_white_space().complement());
  set(TextClass::plain) =
      CodePointSet{{' ', ' '}, {'0', '9'}, {'A', 'Z'}, {'a', 'z'}, kBeforeLineEnds, kBehindLineEnds};
  set(TextClass::phrase) = CodePointSet{{' ', ' '}, {'A', 'Z'}, {'a', 'z'}};
  set(TextClass::address) = CodePointSet{{'!', '!'}, {'$', '$'}, {'&', ';'}, {'=', '='},
                                         {'A', 'Z'}, {'_', '_'}, {'a', 'z'}, {'~', '~'}};
  set(TextClass::words) = CodePointSet{{'0', '9'}, {'A', 'Z'}, {'_', '_'}, {'a', 'z'}};
  set(TextClass::letters) = CodePointSet{{'A', 'Z'}, {'a', 'z'}};
  set(TextClass::lower) = CodePointSet{{'a', 'z'}};
  return sets;
}

ByteSet bytes_of_characters(const CodePointSet& characters) {
  ByteSet bytes;
  for (const CodePointRange& range : characters.ranges()) {
    if (range.first < kFirstBeyondAscii) {
      bytes.add_range(static_cast<std::uint8_t>(range.first),
                      static_cast<std::uint8_t>(std::min<char32_t>(range.last, kFirstBeyondAscii - 1)));
    }
    if (range.last >= kFirstBeyondAscii) bytes.add_range(0x80, 0xF4);  // some of them never come
  }
  return bytes;
}

std::array<ByteSet, kNumTextClasses> make_byte_sets() {
  std::array<ByteSet, kNumTextClasses> sets;
  for (const TextClass text : kTextClasses) {
    ByteSet& set = sets[static_cast<std::size_t>(text)];
    if (text != TextClass::unmarked) {
      set = bytes_of_characters(characters_of(text));
      continue;
    }
    for (int byte = 0; byte < 256; ++byte) {
      const bool is_mark = byte == '<' || byte == '{' || byte == '[' || byte == '`';
      if (!is_mark) set.add(static_cast<std::uint8_t>(byte));
    }
  }
  return sets;
}

TextClasses classes_of_character(char32_t c) {
  TextClasses classes = 0;
  for (const TextClass text : kTextClasses) {
    if (characters_of(text).contains({c, c})) classes |= bit_of(text);
  }
  return classes;
}

std::array<TextClasses, kFirstBeyondAscii> make_ascii_classes() {
  std::array<TextClasses, kFirstBeyondAscii> classes{};
  for (char32_t c = 0; c < classes.size(); ++c) classes[c] = classes_of_character(c);
  return classes;
}

// Of what is a character.
TextClasses classes_of_part(const tokenizer::Utf8Part& part) {
  static const std::array<TextClasses, kFirstBeyondAscii> kAscii = make_ascii_classes();
  if (part.kind != tokenizer::Utf8Kind::character) return 0;
  return part.code_point < kAscii.size() ? kAscii[part.code_point] : classes_of_character(part.code_point);
}

}  // namespace

const CodePointSet& characters_of(TextClass text) {
  static const ClassSets kSets = make_class_sets();
  return kSets[static_cast<std::size_t>(text)];
}

const ByteSet& bytes_of(TextClass text) {
  static const std::array<ByteSet, kNumTextClasses> kSets = make_byte_sets();
  return kSets[static_cast<std::size_t>(text)];
}

TextClasses classes_of(std::string_view text) {
  const ByteSet& unmarked = bytes_of(TextClass::unmarked);
  TextClasses classes = kAllTextClasses;
  while (!text.empty() && classes != 0) {
    const tokenizer::Utf8Part part = tokenizer::first_utf8_part(text);
    TextClasses own = classes_of_part(part);
    const bool is_unmarked =
        std::all_of(text.begin(), text.begin() + static_cast<std::ptrdiff_t>(part.length),
                    [&](char byte) { return unmarked.contains(static_cast<std::uint8_t>(byte)); });
    if (is_unmarked) own |= bit_of(TextClass::unmarked);
    classes &= own;
    text.remove_prefix(part.length);
  }
  return classes;
}

}  // namespace parley::inference::grammar
