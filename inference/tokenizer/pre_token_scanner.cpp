#include "inference/tokenizer/pre_token_scanner.h"

#include "inference/tokenizer/utf8.h"

namespace parley::inference::tokenizer {
namespace {

// Case folding maps the long s (U+017F) to s, so "any case" takes it, as Oniguruma does.
constexpr std::string_view kLongS = "\xC5\xBF";

char lower_case(char byte) { return byte >= 'A' && byte <= 'Z' ? static_cast<char>(byte - 'A' + 'a') : byte; }

}  // namespace

std::string_view PreTokenScanner::next() {
  const std::size_t begin = begin_;
  begin_ = piece_end();
  return text_.substr(begin, begin_ - begin);
}

PreTokenScanner::Character PreTokenScanner::read(std::size_t begin) {
  if (begin == text_.size()) return {CharacterKind::none, begin};
  ++characters_read_;
  const auto byte = static_cast<unsigned char>(text_[begin]);
  if (byte < 0x80) return {table_.kind(byte), begin + 1};
  const Utf8Character character = first_character(text_.substr(begin));
  return {table_.kind(character.code_point), begin + character.length};
}

std::size_t PreTokenScanner::skip(std::size_t begin, CharacterKind kind) {
  for (Character character = read(begin); character.kind == kind; character = read(begin)) {
    begin = character.end;
  }
  return begin;
}

std::size_t PreTokenScanner::piece_end() {
  const Character first = read(begin_);
  if (first.kind == CharacterKind::letter) return skip(first.end, CharacterKind::letter);
  if (first.kind == CharacterKind::number) return number_end(first.end);
  if (text_[begin_] == '\'') {
    const std::size_t end = contraction_end();
    if (end != begin_) return end;
  }
  const Character second = read(first.end);
  if (second.kind == CharacterKind::letter && may_precede_letters(first)) {
    return skip(second.end, CharacterKind::letter);
  }
  if (first.kind == CharacterKind::other) return symbols_end(first.end);
  if (text_[begin_] == ' ') {
    if (second.kind == CharacterKind::other) return symbols_end(second.end);
    if (second.kind == CharacterKind::number && rules_.number_takes_space) return number_end(second.end);
  }
  return white_space_end();
}

bool PreTokenScanner::may_precede_letters(Character first) const {
  if (rules_.letter_prefix == LetterPrefix::space) return text_[begin_] == ' ';
  return first.kind == CharacterKind::other || first.kind == CharacterKind::space;
}

// The piece begins with an apostrophe. Returns its beginning if no contraction follows.
std::size_t PreTokenScanner::contraction_end() const {
  const std::string_view rest = text_.substr(begin_ + 1);
  const bool any_case = rules_.contractions == Contractions::any_case;
  if (any_case && rest.starts_with(kLongS)) return begin_ + 1 + kLongS.size();
  const auto letter = [&](std::size_t index) {
    if (index >= rest.size()) return '\0';
    return any_case ? lower_case(rest[index]) : rest[index];
  };
  const char first = letter(0);
  if (first == 's' || first == 't' || first == 'm' || first == 'd') return begin_ + 2;
  const char second = letter(1);
  const bool is_pair =
      (first == 'r' && second == 'e') || (first == 'v' && second == 'e') || (first == 'l' && second == 'l');
  return is_pair ? begin_ + 3 : begin_;
}

std::size_t PreTokenScanner::number_end(std::size_t end_of_first) {
  if (rules_.numbers_split_first) return end_of_first;
  if (rules_.max_number_length == 0) return skip(end_of_first, CharacterKind::number);
  std::size_t end = end_of_first;
  for (int length = 1; length < rules_.max_number_length; ++length) {
    const Character character = read(end);
    if (character.kind != CharacterKind::number) break;
    end = character.end;
  }
  return end;
}

std::size_t PreTokenScanner::symbols_end(std::size_t end_of_first) {
  const std::size_t end = skip(end_of_first, CharacterKind::other);
  if (rules_.white_space == WhiteSpace::plain) return end;
  return skip(end, CharacterKind::newline);
}

// A run of white space leaves its last character to the word after it, and ends at its last newline where the
// rules say so. What is left is read again, but then has no newline: at most three passes over a run.
std::size_t PreTokenScanner::white_space_end() {
  std::size_t end = begin_;
  std::size_t last_begin = begin_;
  std::size_t newline_end = begin_;
  Character character = read(end);
  while (character.kind == CharacterKind::space || character.kind == CharacterKind::newline) {
    last_begin = end;
    end = character.end;
    if (character.kind == CharacterKind::newline) newline_end = end;
    character = read(end);
  }
  if (rules_.white_space == WhiteSpace::ends_at_newlines && newline_end != begin_) return newline_end;
  const bool text_ends = character.kind == CharacterKind::none ||
                         (character.kind == CharacterKind::number && rules_.numbers_split_first);
  return text_ends || last_begin == begin_ ? end : last_begin;
}

}  // namespace parley::inference::tokenizer
