#include "inference/grammar/until_lexeme.h"

#include <algorithm>
#include <map>
#include <utility>

#include "inference/grammar/markup.h"
#include "inference/tokenizer/byte_matcher.h"

namespace parley::inference::grammar {
namespace {

using tokenizer::ByteMatcher;

// Two bytes that no UTF-8 text contains stand for a control token in the markers' text, or for its start.
constexpr char kSymbolLead = '\xFF';
constexpr int kFirstSymbol = 0x80;
constexpr std::size_t kMaxSymbols = 126;
constexpr char kStartSymbol = '\xFF';

// What markers look like to the matcher.
class UntilPatterns {
 public:
  UntilPatterns(const std::vector<UntilMarker>& markers, const VocabularyIndex& vocabulary) {
    for (std::size_t i = 0; i < markers.size(); ++i) add(markers[i], static_cast<int>(i), vocabulary);
  }

  const std::vector<std::string>& texts() const { return texts_; }
  std::vector<std::string> take_texts() { return std::move(texts_); }
  std::vector<int> take_tags() { return std::move(tags_); }
  std::map<TokenId, std::string> take_symbols() { return std::move(symbols_); }

  static std::string start() { return {kSymbolLead, kStartSymbol}; }

 private:
  void add(const UntilMarker& marker, int tag, const VocabularyIndex& vocabulary) {
    const std::string begin = marker.place == UntilMarker::Place::at_start ? start() : std::string();
    std::string text = begin;
    bool has_symbols = false;
    for (const MarkupSymbol& symbol : markup_of(marker.text, vocabulary)) {
      const bool is_symbol = symbol.kind == MarkupSymbol::Kind::control && has_room_for(symbol.value);
      if (is_symbol) {
        has_symbols = true;
        text += symbol_of(symbol.value);
      } else if (symbol.kind != MarkupSymbol::Kind::byte) {
        text += vocabulary.tokenizer().token_bytes(symbol.value);  // in free text it counts as its bytes
      } else {
        text += static_cast<char>(symbol.value);
      }
    }
    add_text(begin + marker.text, tag);
    if (has_symbols) add_text(std::move(text), tag);
  }

  void add_text(std::string text, int tag) {
    texts_.push_back(std::move(text));
    tags_.push_back(tag);
  }

  bool has_room_for(TokenId token) const { return symbols_.size() < kMaxSymbols || symbols_.contains(token); }

  std::string symbol_of(TokenId token) {
    const auto found = symbols_.find(token);
    if (found != symbols_.end()) return found->second;
    std::string symbol{kSymbolLead, static_cast<char>(kFirstSymbol + static_cast<int>(symbols_.size()))};
    return symbols_.emplace(token, std::move(symbol)).first->second;
  }

  std::vector<std::string> texts_;
  std::vector<int> tags_;  // of texts_, the marker's index
  std::map<TokenId, std::string> symbols_;
};

// The classes of which no text has the beginning of a pattern in it.
TextClasses classes_before(const std::vector<std::string>& patterns) {
  TextClasses classes = 0;
  for (const TextClass text : kTextClasses) {
    const bool has_none = std::none_of(patterns.begin(), patterns.end(), [&](const std::string& pattern) {
      return bytes_of(text).contains(static_cast<std::uint8_t>(pattern.front()));
    });
    if (has_none) classes |= bit_of(text);
  }
  return classes;
}

struct UntilRules {
  UntilRules(UntilPatterns patterns, FreeTextEnd text_end)
      : harmless(classes_before(patterns.texts())),
        matcher(patterns.take_texts()),
        tags(patterns.take_tags()),
        symbols(patterns.take_symbols()),
        end(text_end) {
    for (const char byte : UntilPatterns::start())
      start = matcher.next(start, static_cast<unsigned char>(byte));
  }

  TextClasses harmless;
  ByteMatcher matcher;
  std::vector<int> tags;                   // of the matcher's patterns
  std::map<TokenId, std::string> symbols;  // of the control tokens in markers
  FreeTextEnd end;
  ByteMatcher::State start = ByteMatcher::kStart;
};

class UntilAutomaton final : public ByteAutomaton {
 public:
  explicit UntilAutomaton(const UntilRules& rules) : rules_(rules) {}

  State start() override { return in_text(rules_.start); }
  State next(State state, std::uint8_t byte) override {
    if (is_over(state)) return kDead;
    const ByteMatcher::State to = rules_.matcher.next(place(state), byte);
    const int match = rules_.matcher.longest_match(to);
    return match == ByteMatcher::kNoPattern ? in_text(to) : over(match);
  }
  bool accepts(State state) override { return is_over(state) || rules_.end == FreeTextEnd::anywhere; }
  ByteSet bytes(State state) override {
    ByteSet bytes;
    if (!is_over(state)) bytes.add_range(0, 0xFF);
    return bytes;
  }
  std::uint32_t text_room(State state, TextClass text) override {
    const bool is_plain = state == in_text(ByteMatcher::kStart);
    return is_plain && (rules_.harmless & bit_of(text)) != 0 ? kEndless : 0;
  }
  int tag(State state) override { return is_over(state) ? static_cast<int>(state >> 1) : kNoTag; }
  bool takes_tokens(State state) override { return !is_over(state); }
  State next_token(State state, TokenId token) override {
    if (is_over(state)) return kDead;
    const auto symbol = rules_.symbols.find(token);
    if (symbol == rules_.symbols.end()) return in_text(ByteMatcher::kStart);
    State to = state;
    for (const char byte : symbol->second) to = next(to, static_cast<std::uint8_t>(byte));
    return to;
  }

 private:
  // Odd states: a marker has been read.
  static bool is_over(State state) { return (state & 1) != 0; }
  static State in_text(ByteMatcher::State place) { return static_cast<State>(place) << 1; }
  static ByteMatcher::State place(State state) { return static_cast<ByteMatcher::State>(state >> 1); }
  State over(int pattern) const {
    return static_cast<State>(rules_.tags[static_cast<std::size_t>(pattern)]) << 1 | 1;
  }

  const UntilRules& rules_;
};

class UntilLexeme final : public Lexeme {
 public:
  UntilLexeme(UntilPatterns patterns, FreeTextEnd end) : rules_(std::move(patterns), end) {}
  std::unique_ptr<ByteAutomaton> make_automaton() const override {
    return std::make_unique<UntilAutomaton>(rules_);
  }

 private:
  const UntilRules rules_;
};

}  // namespace

std::shared_ptr<const Lexeme> make_until(const std::vector<UntilMarker>& markers, FreeTextEnd end,
                                         const VocabularyIndex& vocabulary) {
  return std::make_shared<const UntilLexeme>(UntilPatterns(markers, vocabulary), end);
}

std::shared_ptr<const Lexeme> make_until(const std::vector<std::string>& markers, FreeTextEnd end,
                                         const VocabularyIndex& vocabulary) {
  std::vector<UntilMarker> anywhere;
  anywhere.reserve(markers.size());
  for (const std::string& marker : markers) anywhere.push_back({marker});
  return make_until(anywhere, end, vocabulary);
}

std::shared_ptr<const Lexeme> make_marker(std::string_view marker, const VocabularyIndex& vocabulary) {
  return make_markup(markup_of(marker, vocabulary), 0);
}

}  // namespace parley::inference::grammar
