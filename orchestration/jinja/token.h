#pragma once
// Words of a template: text between tags, the tags' brackets, and what stands between those. Plain values,
// any thread.

#include <cstdint>
#include <string>
#include <string_view>

namespace parley::orchestration::jinja {

enum class TokenKind : std::uint8_t {
  data,            // text to be written as it is
  variable_begin,  // {{
  variable_end,
  block_begin,  // {%
  block_end,
  name,
  string,    // `text` holds its value
  integer,   // `text` holds its decimal digits
  floating,  // `text` holds it without underscores
  sign,      // operator or bracket
  end,       // of the source
};

struct Token {
  TokenKind kind = TokenKind::end;
  std::uint32_t offset = 0;
  std::string text;

  bool is(TokenKind wanted) const { return kind == wanted; }
  bool is_sign(std::string_view wanted) const { return kind == TokenKind::sign && text == wanted; }
  bool is_name(std::string_view wanted) const { return kind == TokenKind::name && text == wanted; }
};

}  // namespace parley::orchestration::jinja
