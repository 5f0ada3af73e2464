#include "retrieval/documents/hyphenation.h"

#include <cctype>

#include "retrieval/documents/unicode_text.h"

namespace parley::retrieval::documents {
namespace {

bool is_word_byte(char c) {
  const auto byte = static_cast<unsigned char>(c);
  return std::isalpha(byte) != 0 || byte >= 0x80 || c == '-';
}

bool is_lower_letter(char32_t c) {
  return (c >= 'a' && c <= 'z') || (c >= 0xDF && c <= 0x24F) || (c >= 0x3AC && c <= 0x3CE) ||
         (c >= 0x430 && c <= 0x45F);
}

std::string lower_word(std::string_view word) {
  std::string lower;
  for (const char c : word) {
    lower += static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  }
  return lower;
}

// The hyphen that ends the text: "-", U+2010, U+00AD. 0: none, or it stands behind no letter.
std::size_t hyphen_length(std::string_view text) {
  for (const std::string_view hyphen : {"-", "\u2010", "\u00AD"}) {
    if (text.ends_with(hyphen)) {
      const std::string_view before = text.substr(0, text.size() - hyphen.size());
      const bool is_behind_letter = !before.empty() && is_word_byte(before.back()) && before.back() != '-';
      return is_behind_letter ? hyphen.size() : 0;
    }
  }
  return 0;
}

char32_t last_code_point(std::string_view text) {
  std::size_t at = text.size() - 1;
  while (at > 0 && (static_cast<unsigned char>(text[at]) & 0xC0) == 0x80) {
    --at;
  }
  return take_code_point(text, at);
}

std::string_view last_word(std::string_view text) {
  std::size_t begin = text.size();
  while (begin > 0 && is_word_byte(text[begin - 1])) {
    --begin;
  }
  return text.substr(begin);
}

std::string_view first_word(std::string_view text) {
  std::size_t end = 0;
  while (end < text.size() && is_word_byte(text[end])) {
    ++end;
  }
  return text.substr(0, end);
}

}  // namespace

void Hyphenation::learn(std::string_view line) {
  for (std::size_t at = 0; at < line.size();) {
    const std::string_view word = first_word(line.substr(at));
    const bool is_cut_off = at + word.size() == line.size() && word.ends_with('-');
    if (word.size() > 2 && !is_cut_off) {
      words_.insert(lower_word(word));
    }
    at += word.size() + 1;
  }
}

void Hyphenation::join(std::string& text, std::string_view line) const {
  if (text.empty() || line.empty()) {
    text += line;
    return;
  }
  std::size_t at = 0;
  const char32_t next = take_code_point(line, at);
  const std::size_t hyphen = hyphen_length(text);
  if (hyphen > 0) {
    const std::string_view before = last_word(std::string_view(text).substr(0, text.size() - hyphen));
    const std::string first = lower_word(before), second = lower_word(first_word(line));
    const bool is_word = words_.contains(first + second);
    const bool is_compound = words_.contains(first + "-" + second);
    if (is_word || (is_lower_letter(next) && !is_compound)) {
      text.resize(text.size() - hyphen);
      text += line;
      return;
    }
  }
  const bool is_whole_hyphen = hyphen > 0 && (next > 0x7F || std::isalnum(static_cast<int>(next)) != 0);
  if (!is_whole_hyphen && !(is_unspaced_script(last_code_point(text)) && is_unspaced_script(next))) {
    text += ' ';
  }
  text += line;
}

}  // namespace parley::retrieval::documents
