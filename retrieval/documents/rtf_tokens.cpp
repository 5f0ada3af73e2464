#include "retrieval/documents/rtf_tokens.h"

#include <algorithm>
#include <cctype>
#include <charconv>

namespace parley::retrieval::documents {

RtfToken RtfTokens::next() {
  while (position_ < bytes_.size()) {
    const char c = bytes_[position_++];
    RtfToken token;
    switch (c) {
      case '{':
        token.kind = RtfToken::Kind::group_begin;
        return token;
      case '}':
        token.kind = RtfToken::Kind::group_end;
        return token;
      case '\\':
        return control();
      case '\r':
      case '\n':
      case '\0':
        continue;  // line ends of the file mean nothing
      default:
        token.kind = RtfToken::Kind::byte;
        token.number = static_cast<unsigned char>(c);
        return token;
    }
  }
  return {};
}

RtfToken RtfTokens::control() {
  RtfToken token;
  if (position_ >= bytes_.size()) {
    return token;
  }
  const auto is_letter = [](char c) { return std::isalpha(static_cast<unsigned char>(c)) != 0; };
  if (!is_letter(bytes_[position_])) {
    token.kind = RtfToken::Kind::symbol;
    token.text = bytes_.substr(position_++, 1);
    if (token.text == "'") {
      token.kind = RtfToken::Kind::byte;
      const std::string_view digits = bytes_.substr(position_, 2);
      std::from_chars(digits.data(), digits.data() + digits.size(), token.number, 16);
      position_ += digits.size();
    }
    return token;
  }
  token.kind = RtfToken::Kind::word;
  const std::size_t begin = position_;
  while (position_ < bytes_.size() && is_letter(bytes_[position_])) {
    ++position_;
  }
  token.text = bytes_.substr(begin, position_ - begin);
  const char* number = bytes_.data() + position_;
  const auto [end, error] = std::from_chars(number, bytes_.data() + bytes_.size(), token.number);
  position_ += static_cast<std::size_t>(end - number);
  token.has_number = error == std::errc();
  if (position_ < bytes_.size() && bytes_[position_] == ' ') {
    ++position_;  // ends the word and belongs to it
  }
  if (token.text == "bin") {
    const auto count = static_cast<std::size_t>(std::max(token.number, 0));
    position_ +=
        std::min(count, bytes_.size() - position_);  // a picture's bytes, which may look like anything
  }
  return token;
}

}  // namespace parley::retrieval::documents
