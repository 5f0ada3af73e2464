#pragma once
// What stands inside {{ }} and {% %}. Confined to one parse. Throws TemplateError.

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "orchestration/jinja/token.h"

namespace parley::orchestration::jinja {

// Where the text goes on after a block or comment tag that ends at `end`; `sign` stands before its closing
// bracket.
std::size_t after_block(std::string_view source, std::size_t end, char sign);

class TagLexer {
 public:
  enum class Kind : std::uint8_t { variable, block };

  // The tag's opening bracket is at `tag`.
  TagLexer(std::string_view source, Kind kind, std::size_t tag) : source_(source), kind_(kind), tag_(tag) {}

  // Adds the tag's tokens, brackets included, reading from `at`. Returns where the text after the tag begins.
  std::size_t run(std::size_t at, std::vector<Token>& tokens);

 private:
  bool read_end(std::vector<Token>& tokens);
  void read_token(std::vector<Token>& tokens);
  bool read_number(std::vector<Token>& tokens);
  bool read_sign(std::vector<Token>& tokens);
  void balance(char sign);
  void read_string(std::vector<Token>& tokens);

  char peek(std::size_t ahead = 0) const {
    return at_ + ahead < source_.size() ? source_[at_ + ahead] : '\0';
  }
  void add(std::vector<Token>& tokens, TokenKind kind, std::size_t begin, std::string text) const;

  std::string_view source_;
  Kind kind_;
  std::size_t tag_;
  std::size_t at_ = 0;
  std::string open_brackets_;  // the closing ones that are still to come
};

}  // namespace parley::orchestration::jinja
