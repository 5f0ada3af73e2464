#include "inference/grammar/text_grammars.h"

#include <set>
#include <utility>

#include "inference/grammar/grammar_builder.h"
#include "inference/grammar/regex_lexeme.h"
#include "inference/grammar/table_lexeme.h"

namespace parley::inference::grammar {
namespace {

using State = ByteAutomaton::State;

std::shared_ptr<const Grammar> make_terminal_grammar(std::shared_ptr<const Lexeme> lexeme) {
  GrammarBuilder builder(0);
  return builder.finish(builder.add_terminal(std::move(lexeme)));
}

bool is_white_space(std::uint8_t byte) { return byte == ' ' || (byte >= '\t' && byte <= '\r'); }

// In the openings' trie while the text might still become one of them, then free.
class BannedOpenings final : public ByteAutomaton {
 public:
  BannedOpenings(const TableLexeme& openings, const std::set<TokenId>& tokens)
      : openings_(openings), tokens_(tokens), free_(static_cast<State>(openings.table().nodes.size())) {}

  State start() override { return 0; }
  State next(State state, std::uint8_t byte) override {
    if (state == free_) return free_;
    const State to = openings_.table().next(state, byte);
    if (to != kDead) return openings_.table().nodes[to].accepts ? kDead : to;
    return state == 0 && is_white_space(byte) ? 0 : free_;
  }
  bool accepts(State) override { return true; }
  ByteSet bytes(State state) override {
    ByteSet bytes;
    for (int byte = 0; byte < 256; ++byte) {
      if (next(state, static_cast<std::uint8_t>(byte)) != kDead) bytes.add(static_cast<std::uint8_t>(byte));
    }
    return bytes;
  }
  std::uint32_t text_room(State state) override { return state == free_ ? kEndless : 0; }
  bool takes_tokens(State) override { return true; }
  State next_token(State state, TokenId token) override {
    return state != free_ && tokens_.contains(token) ? kDead : free_;
  }

 private:
  const TableLexeme& openings_;
  const std::set<TokenId>& tokens_;
  State free_;
};

class BannedOpeningsLexeme final : public Lexeme {
 public:
  BannedOpeningsLexeme(std::shared_ptr<const TableLexeme> openings, std::set<TokenId> tokens)
      : openings_(std::move(openings)), tokens_(std::move(tokens)) {}
  std::unique_ptr<ByteAutomaton> make_automaton() const override {
    return std::make_unique<BannedOpenings>(*openings_, tokens_);
  }

 private:
  std::shared_ptr<const TableLexeme> openings_;
  std::set<TokenId> tokens_;
};

}  // namespace

std::variant<std::shared_ptr<const Grammar>, GrammarError> make_regex_grammar(std::string_view pattern) {
  const auto made = make_regex_lexeme(pattern, {});
  if (const auto* error = std::get_if<RegexError>(&made)) return GrammarError{error->message};
  return make_terminal_grammar(std::get<std::shared_ptr<const Lexeme>>(made));
}

std::shared_ptr<const Grammar> make_choice_grammar(std::span<const std::string> choices) {
  return make_terminal_grammar(make_literals(choices));
}

std::shared_ptr<const Grammar> make_banned_openings_grammar(std::vector<std::string> openings,
                                                            const VocabularyIndex& vocabulary) {
  std::set<TokenId> tokens;
  for (const std::string& opening : openings) {
    if (const auto token = vocabulary.special_token(opening)) tokens.insert(*token);
  }
  std::erase_if(openings, [](const std::string& opening) { return opening.empty(); });
  return make_terminal_grammar(
      std::make_shared<const BannedOpeningsLexeme>(make_literals(openings), std::move(tokens)));
}

}  // namespace parley::inference::grammar
