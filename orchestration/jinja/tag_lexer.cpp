#include "orchestration/jinja/tag_lexer.h"

#include <array>
#include <cctype>
#include <charconv>

#include "orchestration/jinja/characters.h"
#include "orchestration/jinja/lexer_error.h"
#include "orchestration/jinja/string_literal.h"

namespace parley::orchestration::jinja {
namespace {

bool is_digit_byte(char c) { return c >= '0' && c <= '9'; }

bool begins_name(char c) {
  return c == '_' || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
         static_cast<unsigned char>(c) >= 0x80;
}

// Digits with single underscores between them, from `at` on; the end.
std::size_t skip_digits(std::string_view source, std::size_t at) {
  if (at >= source.size() || !is_digit_byte(source[at])) return at;
  while (at < source.size()) {
    const bool separated = source[at] == '_' && at + 1 < source.size() && is_digit_byte(source[at + 1]);
    if (!is_digit_byte(source[at]) && !separated) break;
    ++at;
  }
  return at;
}

// End of ".5", "e-7" or both after whole digits that end at `at`; `at` itself when it is an integer.
std::size_t skip_fraction(std::string_view source, std::size_t at) {
  std::size_t end = at;
  if (end < source.size() && source[end] == '.') {
    const std::size_t digits = skip_digits(source, end + 1);
    if (digits > end + 1) end = digits;
  }
  if (end < source.size() && (source[end] == 'e' || source[end] == 'E')) {
    const bool sign = end + 1 < source.size() && (source[end + 1] == '+' || source[end + 1] == '-');
    const std::size_t first = end + (sign ? 2 : 1);
    const std::size_t digits = skip_digits(source, first);
    if (digits > first) end = digits;
  }
  return end;
}

std::string without_underscores(std::string_view text) {
  std::string plain;
  for (const char c : text) {
    if (c != '_') plain.push_back(c);
  }
  return plain;
}

int base_of(std::string_view digits) {
  if (digits.size() < 3 || digits[0] != '0') return 10;
  const char letter = static_cast<char>(digits[1] | 0x20);
  return letter == 'x' ? 16 : letter == 'o' ? 8 : letter == 'b' ? 2 : 10;
}

}  // namespace

std::size_t after_block(std::string_view source, std::size_t end, char sign) {
  if (sign == '-') return skip_spaces(source, end);
  const bool trims = sign != '+' && end < source.size() && source[end] == '\n';
  return trims ? end + 1 : end;
}

std::size_t TagLexer::run(std::size_t at, std::vector<Token>& tokens) {
  at_ = at;
  add(tokens, kind_ == Kind::variable ? TokenKind::variable_begin : TokenKind::block_begin, tag_, {});
  while (true) {
    at_ = skip_spaces(source_, at_);
    if (at_ >= source_.size()) throw_at(source_, tag_, "this tag is not closed");
    if (open_brackets_.empty() && read_end(tokens)) return at_;
    read_token(tokens);
  }
}

bool TagLexer::read_end(std::vector<Token>& tokens) {
  const bool variable = kind_ == Kind::variable;
  const char sign = peek() == '-' || (peek() == '+' && !variable) ? peek() : '\0';
  const std::size_t size = sign == '\0' ? 0 : 1;
  if (source_.substr(at_ + size, 2) != (variable ? "}}" : "%}")) return false;
  add(tokens, variable ? TokenKind::variable_end : TokenKind::block_end, at_, {});
  at_ += size + 2;
  if (!variable) {
    at_ = after_block(source_, at_, sign);
  } else if (sign == '-') {
    at_ = skip_spaces(source_, at_);
  }
  return true;
}

void TagLexer::read_token(std::vector<Token>& tokens) {
  const std::size_t begin = at_;
  if (is_digit_byte(peek()) && read_number(tokens)) return;
  if (begins_name(peek())) {
    while (begins_name(peek()) || is_digit_byte(peek())) ++at_;
    add(tokens, TokenKind::name, begin, std::string(source_.substr(begin, at_ - begin)));
  } else if (peek() == '\'' || peek() == '"') {
    read_string(tokens);
  } else if (!read_sign(tokens)) {
    throw_at(source_, at_, "unexpected character");
  }
}

bool TagLexer::read_number(std::vector<Token>& tokens) {
  const std::size_t begin = at_;
  const bool after_dot = begin > 0 && source_[begin - 1] == '.';
  const int base = base_of(source_.substr(begin, 3));
  if (base == 10) {
    const std::size_t whole = skip_digits(source_, begin);
    at_ = after_dot ? whole : skip_fraction(source_, whole);
    if (at_ > whole) {
      add(tokens, TokenKind::floating, begin, without_underscores(source_.substr(begin, at_ - begin)));
      return true;
    }
  } else {
    at_ += 2;
    while (std::isxdigit(static_cast<unsigned char>(peek())) != 0 || peek() == '_') ++at_;
  }
  const std::string digits = without_underscores(source_.substr(begin, at_ - begin));
  const std::size_t skipped = base == 10 ? 0 : 2;
  const bool leading_zero =
      base == 10 && digits[0] == '0' && digits.find_first_not_of('0') != std::string::npos;
  std::int64_t number = 0;
  const auto parsed = std::from_chars(digits.data() + skipped, digits.data() + digits.size(), number, base);
  if (parsed.ec != std::errc() || parsed.ptr != digits.data() + digits.size() || leading_zero) {
    throw_at(source_, begin, "not a 64-bit integer");
  }
  add(tokens, TokenKind::integer, begin, std::to_string(number));
  return true;
}

bool TagLexer::read_sign(std::vector<Token>& tokens) {
  constexpr std::array<std::string_view, 6> kPairs = {"//", "**", "==", "!=", ">=", "<="};
  for (const std::string_view pair : kPairs) {
    if (source_.substr(at_, 2) != pair) continue;
    add(tokens, TokenKind::sign, at_, std::string(pair));
    at_ += 2;
    return true;
  }
  constexpr std::string_view kSingles = "+-/*%~[](){}><=.:|,;";
  if (kSingles.find(peek()) == std::string_view::npos) return false;
  balance(peek());
  add(tokens, TokenKind::sign, at_, std::string(1, peek()));
  ++at_;
  return true;
}

void TagLexer::balance(char sign) {
  if (sign == '(') open_brackets_.push_back(')');
  if (sign == '[') open_brackets_.push_back(']');
  if (sign == '{') open_brackets_.push_back('}');
  if (sign != ')' && sign != ']' && sign != '}') return;
  const std::string text(1, sign);
  if (open_brackets_.empty()) throw_at(source_, at_, "unexpected '" + text + "'");
  if (open_brackets_.back() != sign) {
    throw_at(
        source_, at_,
        "unexpected '" + text + "', expected '" + open_brackets_.substr(open_brackets_.size() - 1) + "'");
  }
  open_brackets_.pop_back();
}

void TagLexer::read_string(std::vector<Token>& tokens) {
  const std::size_t begin = at_;
  const char quote = peek();
  ++at_;
  while (at_ < source_.size() && peek() != quote) at_ += peek() == '\\' ? 2 : 1;
  if (at_ >= source_.size()) throw_at(source_, begin, "this string is not closed");
  add(tokens, TokenKind::string, begin, unescape(source_, begin + 1, at_));
  ++at_;
}

void TagLexer::add(std::vector<Token>& tokens, TokenKind kind, std::size_t begin, std::string text) const {
  tokens.push_back({kind, static_cast<std::uint32_t>(begin), std::move(text)});
}

}  // namespace parley::orchestration::jinja
