#include "inference/grammar/regex_escape.h"

namespace parley::inference::grammar {
namespace {

const CodePointSet& digits() {
  static const CodePointSet kSet{{U'0', U'9'}};
  return kSet;
}

const CodePointSet& word_characters() {
  static const CodePointSet kSet{{U'0', U'9'}, {U'A', U'Z'}, {U'_', U'_'}, {U'a', U'z'}};
  return kSet;
}

CodePointSet single(char32_t c) { return {{c, c}}; }

bool is_letter_or_digit(char32_t c) {
  return (c >= U'0' && c <= U'9') || (c >= U'A' && c <= U'Z') || (c >= U'a' && c <= U'z');
}

std::optional<char32_t> take_braced_hex(RegexInput& input) {
  char32_t value = 0;
  int num_digits = 0;
  while (const std::optional<char32_t> digit = input.take_hex(1)) {
    value = value * 16 + *digit;
    if (++num_digits > 6) return std::nullopt;
  }
  if (num_digits == 0 || value > 0x10FFFF || !input.take(U'}')) return std::nullopt;
  return value;
}

std::optional<char32_t> take_unicode(RegexInput& input) {
  if (input.take(U'{')) return take_braced_hex(input);
  const std::optional<char32_t> unit = input.take_hex(4);
  const bool is_high = unit && *unit >= 0xD800 && *unit <= 0xDBFF;
  if (!is_high) return unit;
  if (!input.take(U'\\') || !input.take(U'u')) return std::nullopt;
  const std::optional<char32_t> low = input.take_hex(4);
  if (!low || *low < 0xDC00 || *low > 0xDFFF) return std::nullopt;
  return 0x10000 + ((*unit - 0xD800) << 10) + (*low - 0xDC00);
}

CodePointSet take_numeric(RegexInput& input, std::optional<char32_t> code_point) {
  const bool is_character = code_point && (*code_point < 0xD800 || *code_point > 0xDFFF);
  if (is_character) return single(*code_point);
  input.fail("a numeric escape is not a character");
  return {};
}

CodePointSet take_control(RegexInput& input) {
  const char32_t c = input.take_any();
  const bool is_letter = (c >= U'A' && c <= U'Z') || (c >= U'a' && c <= U'z');
  if (is_letter) return single(c % 32);
  input.fail("\\c is not followed by a letter");
  return {};
}

CodePointSet take_other(RegexInput& input, char32_t c, EscapePlace place) {
  if (c == U'b' && place == EscapePlace::in_class) return single(8);
  if (c == U'b' || c == U'B') {
    input.fail("the word boundaries \\b and \\B are not supported");
  } else if ((c >= U'1' && c <= U'9') || c == U'k') {
    input.fail("backreferences are not supported");
  } else if (c == U'p' || c == U'P') {
    input.fail("the Unicode properties \\p{…} and \\P{…} are not supported");
  } else if (c == 0 || is_letter_or_digit(c)) {
    input.fail("a backslash stands before a character that has no meaning there");
  }
  return single(c);
}

// \d, \w, \s and their opposites.
std::optional<CodePointSet> class_named(char32_t c) {
  switch (c) {
    case U'd':
      return digits();
    case U'D':
      return digits().complement();
    case U'w':
      return word_characters();
    case U'W':
      return word_characters().complement();
    case U's':
      return ecma_white_space();
    case U'S':
      return ecma_white_space().complement();
    default:
      return std::nullopt;
  }
}

}  // namespace

const CodePointSet& ecma_white_space() {
  static const CodePointSet kSet{{0x09, 0x0D},     {0x20, 0x20},     {0xA0, 0xA0},     {0x1680, 0x1680},
                                 {0x2000, 0x200A}, {0x2028, 0x2029}, {0x202F, 0x202F}, {0x205F, 0x205F},
                                 {0x3000, 0x3000}, {0xFEFF, 0xFEFF}};
  return kSet;
}

char32_t RegexInput::peek(std::size_t ahead) const {
  return position_ + ahead < text_.size() ? text_[position_ + ahead] : 0;
}

bool RegexInput::take(char32_t c) {
  if (done() || text_[position_] != c) return false;
  ++position_;
  return true;
}

char32_t RegexInput::take_any() { return done() ? 0 : text_[position_++]; }

std::optional<int> RegexInput::take_number(int limit) {
  std::optional<int> value;
  while (peek() >= U'0' && peek() <= U'9') {
    value = value.value_or(0) * 10 + static_cast<int>(take_any() - U'0');
    if (*value > limit) return std::nullopt;
  }
  return value;
}

std::optional<char32_t> RegexInput::take_hex(int num_digits) {
  char32_t value = 0;
  for (int i = 0; i < num_digits; ++i) {
    const char32_t c = peek();
    if (c >= U'0' && c <= U'9') {
      value = value * 16 + (c - U'0');
    } else if ((c >= U'a' && c <= U'f') || (c >= U'A' && c <= U'F')) {
      value = value * 16 + (c % 32) + 9;
    } else {
      return std::nullopt;
    }
    ++position_;
  }
  return value;
}

void RegexInput::fail(std::string_view problem) {
  if (error_) return;
  error_ = "At character " + std::to_string(position_) + " of the pattern " + std::string(problem) + ".";
}

CodePointSet take_escape(RegexInput& input, EscapePlace place) {
  const char32_t c = input.take_any();
  if (const std::optional<CodePointSet> named = class_named(c)) return *named;
  switch (c) {
    case U't':
      return single(9);
    case U'n':
      return single(10);
    case U'v':
      return single(11);
    case U'f':
      return single(12);
    case U'r':
      return single(13);
    case U'0':
      return single(0);
    case U'c':
      return take_control(input);
    case U'x':
      return take_numeric(input, input.take_hex(2));
    case U'u':
      return take_numeric(input, take_unicode(input));
    default:
      return take_other(input, c, place);
  }
}

CodePointSet any_but_line_ends() {
  static const CodePointSet kSet = CodePointSet{{10, 10}, {13, 13}, {0x2028, 0x2029}}.complement();
  return kSet;
}

}  // namespace parley::inference::grammar
