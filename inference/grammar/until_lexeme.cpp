#include "inference/grammar/until_lexeme.h"

#include <map>
#include <utility>

#include "inference/grammar/table_lexeme.h"
#include "inference/tokenizer/byte_matcher.h"

namespace parley::inference::grammar {
namespace {

using tokenizer::ByteMatcher;
using TokenMarkers = std::map<TokenId, int>;  // control tokens that are markers

class UntilAutomaton final : public ByteAutomaton {
 public:
  UntilAutomaton(const ByteMatcher& matcher, const TokenMarkers& tokens, FreeTextEnd end)
      : matcher_(matcher), tokens_(tokens), end_(end) {}

  State start() override { return kText; }
  State next(State state, std::uint8_t byte) override {
    if (is_over(state)) return kDead;
    const ByteMatcher::State to = matcher_.next(static_cast<ByteMatcher::State>(state >> 1), byte);
    const int match = matcher_.longest_match(to);
    return match == ByteMatcher::kNoPattern ? static_cast<State>(to) << 1 : over(match);
  }
  bool accepts(State state) override { return is_over(state) || end_ == FreeTextEnd::anywhere; }
  ByteSet bytes(State state) override {
    ByteSet bytes;
    if (!is_over(state)) bytes.add_range(0, 0xFF);
    return bytes;
  }
  int tag(State state) override { return is_over(state) ? static_cast<int>(state >> 1) : kNoTag; }
  bool takes_tokens(State state) override { return !is_over(state); }
  State next_token(State state, TokenId token) override {
    if (is_over(state)) return kDead;
    const auto found = tokens_.find(token);
    return found == tokens_.end() ? kText : over(found->second);
  }

 private:
  static constexpr State kText = 0;
  // Odd states: a marker has been read.
  static bool is_over(State state) { return (state & 1) != 0; }
  static State over(int marker) { return static_cast<State>(marker) << 1 | 1; }

  const ByteMatcher& matcher_;
  const TokenMarkers& tokens_;
  FreeTextEnd end_;
};

class UntilLexeme final : public Lexeme {
 public:
  UntilLexeme(std::vector<std::string> markers, TokenMarkers tokens, FreeTextEnd end)
      : matcher_(std::move(markers)), tokens_(std::move(tokens)), end_(end) {}
  std::unique_ptr<ByteAutomaton> make_automaton() const override {
    return std::make_unique<UntilAutomaton>(matcher_, tokens_, end_);
  }

 private:
  ByteMatcher matcher_;
  TokenMarkers tokens_;
  FreeTextEnd end_;
};

enum class TokenKind : std::uint8_t { control, ordinary };

class TokenAutomaton final : public ByteAutomaton {
 public:
  TokenAutomaton(TokenId token, TokenKind kind) : token_(token), kind_(kind) {}
  State start() override { return 0; }
  State next(State, std::uint8_t) override { return kDead; }
  bool accepts(State state) override { return state == 1; }
  ByteSet bytes(State) override { return {}; }
  bool takes_tokens(State state) override { return state == 0; }
  State next_token(State state, TokenId token) override { return state == 0 && token == token_ ? 1 : kDead; }
  std::optional<TokenId> named_token(State state) override {
    return state == 0 && kind_ == TokenKind::ordinary ? std::optional(token_) : std::nullopt;
  }

 private:
  TokenId token_;
  TokenKind kind_;
};

class TokenLexeme final : public Lexeme {
 public:
  TokenLexeme(TokenId token, TokenKind kind) : token_(token), kind_(kind) {}
  std::unique_ptr<ByteAutomaton> make_automaton() const override {
    return std::make_unique<TokenAutomaton>(token_, kind_);
  }

 private:
  TokenId token_;
  TokenKind kind_;
};

}  // namespace

std::shared_ptr<const Lexeme> make_until(std::vector<std::string> markers, FreeTextEnd end,
                                         const VocabularyIndex& vocabulary) {
  TokenMarkers tokens;
  for (std::size_t i = 0; i < markers.size(); ++i) {
    if (const auto token = vocabulary.special_token(markers[i])) tokens.emplace(*token, static_cast<int>(i));
  }
  return std::make_shared<const UntilLexeme>(std::move(markers), std::move(tokens), end);
}

std::shared_ptr<const Lexeme> make_marker(const std::string& name, const VocabularyIndex& vocabulary) {
  if (const auto token = vocabulary.special_token(name)) {
    return std::make_shared<const TokenLexeme>(*token, TokenKind::control);
  }
  if (const auto token = vocabulary.user_token(name)) {
    return std::make_shared<const TokenLexeme>(*token, TokenKind::ordinary);
  }
  return make_literal(name);
}

}  // namespace parley::inference::grammar
