#include "inference/grammar/raw_strings.h"

#include <algorithm>
#include <optional>
#include <utility>
#include <variant>

#include <boost/json/string.hpp>

#include "inference/grammar/regex_lexeme.h"
#include "inference/grammar/schema_formats.h"
#include "inference/grammar/table_lexeme.h"

namespace parley::inference::grammar {
namespace {

using State = ByteAutomaton::State;
using LexemePointer = std::shared_ptr<const Lexeme>;

constexpr std::size_t kMaxTextStates = 1000;
constexpr std::size_t kMaxLimitedStates = 20000;

LexemePointer regex_or_null(std::string_view pattern, const RegexOptions& options = {}) {
  auto made = make_regex_lexeme(pattern, options);
  auto* lexeme = std::get_if<LexemePointer>(&made);
  return lexeme == nullptr ? nullptr : std::move(*lexeme);
}

// Any text; between two characters it accepts.
const std::shared_ptr<const TableLexeme>& any_text() {
  static const std::shared_ptr<const TableLexeme> kLexeme = write_out(*regex_or_null("[^]*"), kMaxTextStates);
  return kLexeme;
}

std::string as_pattern(std::string_view text) {
  constexpr std::string_view kSyntax = "^$\\.*+?()[]{}|/";
  std::string pattern;
  for (const char c : text) {
    if (kSyntax.find(c) != std::string_view::npos) pattern += '\\';
    pattern += c;
  }
  return pattern;
}

std::string pattern_of(const std::vector<TextSequence>& sequences) {
  std::string pattern;
  for (const TextSequence& sequence : sequences) {
    if (!pattern.empty()) pattern += '|';
    pattern += as_pattern(sequence.first) + "[ \\t\\n\\r]*" + as_pattern(sequence.second);
  }
  return pattern;
}

// Two automata in step: the text, and a search for what must not be in it.
class TextWithoutAutomaton final : public ByteAutomaton {
 public:
  TextWithoutAutomaton(const Lexeme& search, std::uint32_t shortest)
      : text_(any_text()->make_automaton()),
        search_(search.make_automaton()),
        num_text_states_(static_cast<State>(any_text()->table().nodes.size())),
        plain_(search_->next(search_->start(), ' ')),
        shortest_(shortest) {}

  State start() override { return pack(text_->start(), search_->start()); }
  State next(State state, std::uint8_t byte) override {
    const State text = text_->next(text_state(state), byte);
    if (text == kDead) return kDead;
    const State search = search_->next(search_state(state), byte);
    return search == kDead || search_->accepts(search) ? kDead : pack(text, search);
  }
  bool accepts(State state) override { return text_->accepts(text_state(state)); }
  ByteSet bytes(State state) override {
    ByteSet bytes;
    text_->bytes(text_state(state)).for_each([&](std::uint8_t byte) {
      if (next(state, byte) != kDead) bytes.add(byte);
    });
    return bytes;
  }
  std::uint32_t text_room(State state, TextClass text) override {
    if (text == TextClass::unmarked) return 0;  // may end within a character
    const State search = search_state(state);
    return search == plain_ && accepts(state) ? shortest_ - 1 : 0;
  }
  bool is_costly() const override { return true; }
  std::size_t work() const override { return search_->work(); }
  std::size_t memory() const override { return search_->memory(); }
  State import(const ByteAutomaton& other, State state) override {
    const auto& from = static_cast<const TextWithoutAutomaton&>(other);
    return pack(text_state(state), search_->import(*from.search_, search_state(state)));
  }

 private:
  State pack(State text, State search) const { return search * num_text_states_ + text; }
  State text_state(State state) const { return state % num_text_states_; }
  State search_state(State state) const { return state / num_text_states_; }

  std::unique_ptr<ByteAutomaton> text_;
  std::unique_ptr<ByteAutomaton> search_;
  const State num_text_states_;
  const State plain_;  // nothing has begun
  const std::uint32_t shortest_;
};

class TextWithoutLexeme final : public Lexeme {
 public:
  TextWithoutLexeme(LexemePointer search, std::uint32_t shortest)
      : search_(std::move(search)), shortest_(shortest) {}
  std::unique_ptr<ByteAutomaton> make_automaton() const override {
    return std::make_unique<TextWithoutAutomaton>(*search_, shortest_);
  }

 private:
  const LexemePointer search_;
  const std::uint32_t shortest_;  // of what must not be in it, in bytes
};

// A limit of one part.
struct TextLimit {
  const char* keyword = "";
  LexemePointer lexeme;   // null: too large, or not known
  bool is_never = false;  // nothing can keep to it
};

std::optional<TextLimit> length_limit(const SchemaPart& part) {
  const auto min = count_member(part, "minLength");
  const auto max = count_member(part, "maxLength");
  if (!min && !max) return std::nullopt;
  if (max && *max < min.value_or(0)) return TextLimit{"maxLength", nullptr, true};
  const std::string counts = std::to_string(min.value_or(0)) + "," + (max ? std::to_string(*max) : "");
  return TextLimit{max ? "maxLength" : "minLength", regex_or_null("[^]{" + counts + "}"), false};
}

std::vector<TextLimit> limits_of(const SchemaPart& part) {
  std::vector<TextLimit> limits;
  if (auto length = length_limit(part)) limits.push_back(std::move(*length));
  const json::JsonValue* pattern = keyword(part, "pattern");
  if (pattern != nullptr && pattern->is_string()) {
    limits.push_back({"pattern",
                      regex_or_null(std::string_view(pattern->get_string()), {.match = RegexMatch::anywhere}),
                      false});
  }
  const json::JsonValue* format = keyword(part, "format");
  if (format != nullptr && format->is_string()) {
    limits.push_back({"format", format_lexeme(std::string_view(format->get_string())), false});
  }
  return limits;
}

}  // namespace

std::shared_ptr<const Lexeme> make_text_without(const std::vector<TextSequence>& sequences) {
  if (sequences.empty()) return any_text();
  std::size_t shortest = sequences.front().first.size() + sequences.front().second.size();
  for (const TextSequence& sequence : sequences) {
    shortest = std::min(shortest, sequence.first.size() + sequence.second.size());
  }
  auto search = regex_or_null(pattern_of(sequences), {.match = RegexMatch::anywhere});
  return std::make_shared<const TextWithoutLexeme>(std::move(search), static_cast<std::uint32_t>(shortest));
}

std::shared_ptr<const Lexeme> make_limited_text(std::shared_ptr<const Lexeme> any, const SchemaParts& parts,
                                                UncheckedList& unchecked, SchemaBudget& budget) {
  LexemePointer text = std::move(any);
  for (const SchemaPart& part : parts) {
    if (!has_string_limits({part})) continue;
    if (!budget.has_time()) break;
    for (const TextLimit& limit : limits_of(part)) {
      if (limit.is_never) return nullptr;
      const auto both = limit.lexeme ? intersect(*text, *limit.lexeme, kMaxLimitedStates) : std::nullopt;
      if (both && !*both) return nullptr;
      if (both) {
        text = *both;
        budget.take(text->memory());
      } else {
        unchecked.add(part, limit.keyword, "of a string without quotation marks is only checked afterwards");
      }
    }
  }
  return text;
}

bool has_string_limits(const SchemaParts& parts) {
  return std::any_of(parts.begin(), parts.end(), [](const SchemaPart& part) {
    const auto is_text = [&](const char* name) {
      const json::JsonValue* value = keyword(part, name);
      return value != nullptr && value->is_string();
    };
    return count_member(part, "minLength") || count_member(part, "maxLength") || is_text("pattern") ||
           is_text("format");
  });
}

}  // namespace parley::inference::grammar
