#pragma once
// The tokens of a template, read from front to back. Confined to one parse. Throws TemplateError.

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "orchestration/jinja/token.h"

namespace parley::orchestration::jinja {

class TokenStream {
 public:
  // `source` must outlive the stream.
  TokenStream(std::string_view source, std::vector<Token> tokens)
      : source_(source), tokens_(std::move(tokens)) {}

  const Token& peek(std::size_t ahead = 0) const;
  const Token& next();

  bool accept_sign(std::string_view sign);
  bool accept_name(std::string_view name);
  void expect_sign(std::string_view sign);
  void expect_name(std::string_view name);
  void expect(TokenKind kind);
  const Token& expect_any_name();

  // About the next token.
  [[noreturn]] void fail(const std::string& message) const;
  [[noreturn]] void fail_expecting(const std::string& what) const;

 private:
  std::string_view source_;
  std::vector<Token> tokens_;
  std::size_t at_ = 0;
};

}  // namespace parley::orchestration::jinja
