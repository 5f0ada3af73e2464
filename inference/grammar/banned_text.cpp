#include "inference/grammar/banned_text.h"

#include <algorithm>
#include <set>
#include <span>
#include <utility>

#include "inference/grammar/table_lexeme.h"
#include "inference/tokenizer/byte_matcher.h"

namespace parley::inference::grammar {
namespace {

using State = ByteAutomaton::State;
using Strings = std::vector<std::string>;
using tokenizer::ByteMatcher;

bool is_white_space(std::uint8_t byte) { return byte == ' ' || (byte >= '\t' && byte <= '\r'); }

std::uint32_t num_characters(const std::string& text) {
  const auto is_lead = [](char byte) { return (static_cast<unsigned char>(byte) & 0xC0) != 0x80; };
  return static_cast<std::uint32_t>(std::count_if(text.begin(), text.end(), is_lead));
}

// More than any text may lack of a banned string: nothing is banned.
std::uint32_t shortest_of(const Strings& strings) {
  std::uint32_t shortest = ByteAutomaton::kEndless;
  for (const std::string& string : strings) shortest = std::min(shortest, num_characters(string));
  return shortest;
}

// The classes of which no text has one of the strings in it.
TextClasses classes_without(const Strings& strings) {
  TextClasses classes = 0;
  for (const TextClass text : kTextClasses) {
    const bool has_none = std::none_of(strings.begin(), strings.end(), [&](const std::string& string) {
      return std::all_of(string.begin(), string.end(),
                         [&](char byte) { return bytes_of(text).contains(static_cast<std::uint8_t>(byte)); });
    });
    if (has_none) classes |= bit_of(text);
  }
  return classes;
}

std::set<TokenId> tokens_named(const Strings& names, const VocabularyIndex& vocabulary) {
  std::set<TokenId> tokens;
  for (const std::string& name : names) {
    if (const auto token = vocabulary.special_token(name)) tokens.insert(*token);
  }
  return tokens;
}

// What the automata share.
struct Rules {
  Rules(BannedText banned, const VocabularyIndex& vocabulary)
      : opening_tokens(tokens_named(banned.openings, vocabulary)),
        tokens(tokens_named(banned.anywhere, vocabulary)),
        shortest(shortest_of(banned.anywhere)),
        harmless(classes_without(banned.anywhere)),
        strings(std::move(banned.anywhere)) {
    if (banned.openings.empty()) return;
    openings = make_literals(banned.openings);
    const auto& nodes = openings->table().nodes;
    in_strings.resize(nodes.size(), ByteMatcher::kStart);
    for (std::size_t state = 0; state < nodes.size(); ++state) {  // children come behind their parents
      for (const DfaTable::Edge& edge : nodes[state].edges) {
        in_strings[edge.to] = strings.next(in_strings[state], edge.low);
      }
    }
  }

  std::set<TokenId> opening_tokens;
  std::set<TokenId> tokens;
  std::uint32_t shortest;                       // of `strings`, in characters
  TextClasses harmless;                         // without any of `strings` in them
  ByteMatcher strings;                          // banned anywhere
  std::shared_ptr<const TableLexeme> openings;  // a trie; null: none
  std::vector<ByteMatcher::State> in_strings;   // by state of the trie
};

// In the openings' trie while the text might still become one of them; behind it, states of the matcher.
class BannedTextAutomaton final : public ByteAutomaton {
 public:
  explicit BannedTextAutomaton(const Rules& rules)
      : rules_(rules), free_(static_cast<State>(rules.in_strings.size())) {}

  State start() override { return 0; }
  State next(State state, std::uint8_t byte) override {
    const ByteMatcher::State found = rules_.strings.next(in_strings(state), byte);
    if (rules_.strings.longest_match(found) != ByteMatcher::kNoPattern) return kDead;
    if (state < free_) {
      const DfaTable& openings = rules_.openings->table();
      const State to = openings.next(state, byte);
      if (to != kDead) return openings.nodes[to].accepts ? kDead : to;
      if (state == 0 && is_white_space(byte)) return 0;
    }
    return free_ + static_cast<State>(found);
  }
  bool accepts(State) override { return true; }
  ByteSet bytes(State state) override {
    ByteSet bytes;
    for (int byte = 0; byte < 256; ++byte) {
      if (next(state, static_cast<std::uint8_t>(byte)) != kDead) bytes.add(static_cast<std::uint8_t>(byte));
    }
    return bytes;
  }
  std::uint32_t text_room(State state, TextClass text) override {
    if (state < free_ || rules_.shortest == kEndless) return state < free_ ? 0 : kEndless;
    const bool nothing_begun = in_strings(state) == ByteMatcher::kStart;
    if (nothing_begun && (rules_.harmless & bit_of(text)) != 0) return kEndless;
    const auto begun = static_cast<std::uint32_t>(rules_.strings.suffix(in_strings(state)).size());
    return rules_.shortest > begun ? rules_.shortest - begun - 1 : 0;
  }
  bool takes_tokens(State) override { return true; }
  State next_token(State state, TokenId token) override {
    const bool is_banned =
        rules_.tokens.contains(token) || (state < free_ && rules_.opening_tokens.contains(token));
    return is_banned ? kDead : free_;
  }

 private:
  ByteMatcher::State in_strings(State state) const {
    return state < free_ ? rules_.in_strings[state] : static_cast<ByteMatcher::State>(state - free_);
  }

  const Rules& rules_;
  const State free_;  // the matcher's first state
};

class BannedTextLexeme final : public Lexeme {
 public:
  BannedTextLexeme(BannedText banned, const VocabularyIndex& vocabulary)
      : rules_(std::move(banned), vocabulary) {}
  std::unique_ptr<ByteAutomaton> make_automaton() const override {
    return std::make_unique<BannedTextAutomaton>(rules_);
  }

 private:
  const Rules rules_;
};

}  // namespace

std::shared_ptr<const Lexeme> make_banned_text(BannedText banned, const VocabularyIndex& vocabulary) {
  for (Strings* strings : {&banned.openings, &banned.anywhere}) {
    std::erase_if(*strings, [](const std::string& string) { return string.empty(); });
  }
  return std::make_shared<const BannedTextLexeme>(std::move(banned), vocabulary);
}

}  // namespace parley::inference::grammar
