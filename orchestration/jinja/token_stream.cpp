#include "orchestration/jinja/token_stream.h"

#include <algorithm>

#include "orchestration/jinja/lexer_error.h"

namespace parley::orchestration::jinja {
namespace {

std::string name_of(TokenKind kind) {
  switch (kind) {
    case TokenKind::data:
      return "text";
    case TokenKind::variable_begin:
      return "'{{'";
    case TokenKind::variable_end:
      return "'}}'";
    case TokenKind::block_begin:
      return "'{%'";
    case TokenKind::block_end:
      return "'%}'";
    case TokenKind::name:
      return "a name";
    case TokenKind::string:
      return "a string";
    case TokenKind::integer:
    case TokenKind::floating:
      return "a number";
    case TokenKind::sign:
      return "an operator";
    case TokenKind::end:
      return "the end of the template";
  }
  return "a token";
}

std::string described(const Token& token) {
  return token.is(TokenKind::sign) || token.is(TokenKind::name) ? "'" + token.text + "'"
                                                                : name_of(token.kind);
}

}  // namespace

const Token& TokenStream::peek(std::size_t ahead) const {
  return tokens_[std::min(at_ + ahead, tokens_.size() - 1)];
}

const Token& TokenStream::next() {
  const Token& token = peek();
  if (at_ + 1 < tokens_.size()) ++at_;
  return token;
}

bool TokenStream::accept_sign(std::string_view sign) {
  if (!peek().is_sign(sign)) return false;
  next();
  return true;
}

bool TokenStream::accept_name(std::string_view name) {
  if (!peek().is_name(name)) return false;
  next();
  return true;
}

void TokenStream::expect_sign(std::string_view sign) {
  if (!accept_sign(sign)) fail_expecting("'" + std::string(sign) + "'");
}

void TokenStream::expect_name(std::string_view name) {
  if (!accept_name(name)) fail_expecting("'" + std::string(name) + "'");
}

void TokenStream::expect(TokenKind kind) {
  if (!peek().is(kind)) fail_expecting(name_of(kind));
  next();
}

const Token& TokenStream::expect_any_name() {
  if (!peek().is(TokenKind::name)) fail_expecting("a name");
  return next();
}

void TokenStream::fail(const std::string& message) const { throw_at(source_, peek().offset, message); }

void TokenStream::fail_expecting(const std::string& what) const {
  fail("expected " + what + ", got " + described(peek()));
}

}  // namespace parley::orchestration::jinja
