#include "inference/grammar/string_lexeme.h"

#include <algorithm>
#include <cassert>
#include <string_view>
#include <utility>
#include <variant>

#include "inference/grammar/regex_lexeme.h"

namespace parley::inference::grammar {
namespace {

using State = ByteAutomaton::State;

constexpr std::size_t kMaxContentStates = 1000;

std::shared_ptr<const TableLexeme> write_content(std::string_view pattern, CharacterEncoding encoding) {
  const auto made = make_regex_lexeme(pattern, {.encoding = encoding});
  return write_out(*std::get<std::shared_ptr<const Lexeme>>(made), kMaxContentStates);
}

// Counts characters: the start of `content` is the only state between two of them.
class SizedContent final : public ByteAutomaton {
 public:
  SizedContent(const TableLexeme& content, LengthRange length)
      : content_(content.make_automaton()), length_(length), num_states_(content.table().nodes.size()) {}

  State start() override { return 0; }

  State next(State state, std::uint8_t byte) override {
    const State inner = inner_state(state);
    const std::uint32_t count = count_of(state);
    if (inner == 0 && count == length_.max) return kDead;
    const State to = content_->next(inner, byte);
    if (to == kDead) return kDead;
    const bool counts = to == 0 && (length_.max != kNoMaxLength || count < length_.min);
    return static_cast<State>((count + (counts ? 1 : 0)) * num_states_ + to);
  }
  bool accepts(State state) override { return inner_state(state) == 0 && count_of(state) >= length_.min; }
  ByteSet bytes(State state) override {
    const State inner = inner_state(state);
    return inner == 0 && count_of(state) == length_.max ? ByteSet() : content_->bytes(inner);
  }
  std::uint32_t text_room(State state, TextClass text) override {
    if (inner_state(state) != 0 || text == TextClass::unmarked) return 0;
    return length_.max == kNoMaxLength ? kEndless : length_.max - count_of(state);
  }
  State roomy_twin(State state) override {
    const bool has_limit = length_.max != kNoMaxLength && inner_state(state) == 0;
    return has_limit && count_of(state) > length_.min ? static_cast<State>(length_.min * num_states_) : state;
  }

 private:
  State inner_state(State state) const { return static_cast<State>(state % num_states_); }
  std::uint32_t count_of(State state) const { return static_cast<std::uint32_t>(state / num_states_); }

  std::unique_ptr<ByteAutomaton> content_;
  LengthRange length_;
  std::size_t num_states_;
};

class SizedLexeme final : public Lexeme {
 public:
  SizedLexeme(std::shared_ptr<const TableLexeme> content, LengthRange length)
      : content_(std::move(content)), length_(length) {}
  std::unique_ptr<ByteAutomaton> make_automaton() const override {
    return std::make_unique<SizedContent>(*content_, length_);
  }

 private:
  std::shared_ptr<const TableLexeme> content_;  // shared by all lexemes of its kind
  LengthRange length_;
};

class QuotedAutomaton final : public ByteAutomaton {
 public:
  explicit QuotedAutomaton(const Lexeme& content) : content_(content.make_automaton()) {}

  State start() override { return kBefore; }
  State next(State state, std::uint8_t byte) override {
    if (state == kBehind) return kDead;
    if (state == kBefore) return byte == '"' ? content_->start() + kInside : kDead;
    if (byte == '"' && content_->accepts(state - kInside)) return kBehind;  // else it may be escaped
    const State to = content_->next(state - kInside, byte);
    return to == kDead ? kDead : to + kInside;
  }
  bool accepts(State state) override { return state == kBehind; }
  ByteSet bytes(State state) override {
    ByteSet bytes;
    if (state >= kInside) bytes = content_->bytes(state - kInside);
    if (state == kBefore || (state >= kInside && content_->accepts(state - kInside))) bytes.add('"');
    return bytes;
  }
  std::uint32_t text_room(State state, TextClass text) override {
    return state < kInside ? 0 : content_->text_room(state - kInside, text);
  }
  State roomy_twin(State state) override {
    return state < kInside ? state : content_->roomy_twin(state - kInside) + kInside;
  }
  bool is_costly() const override { return content_->is_costly(); }
  std::size_t work() const override { return content_->work(); }
  std::size_t memory() const override { return content_->memory(); }
  State import(const ByteAutomaton& other, State state) override {
    if (state < kInside) return state;
    return content_->import(*static_cast<const QuotedAutomaton&>(other).content_, state - kInside) + kInside;
  }

 private:
  static constexpr State kBefore = 0;
  static constexpr State kBehind = 1;
  static constexpr State kInside = 2;

  std::unique_ptr<ByteAutomaton> content_;
};

class QuotedLexeme final : public Lexeme {
 public:
  explicit QuotedLexeme(std::shared_ptr<const Lexeme> content) : content_(std::move(content)) {}
  std::unique_ptr<ByteAutomaton> make_automaton() const override {
    return std::make_unique<QuotedAutomaton>(*content_);
  }

 private:
  std::shared_ptr<const Lexeme> content_;
};

// Any of `all`, but none of `except`, whose state is kept beside it until the text leaves them.
class ExceptAutomaton final : public ByteAutomaton {
 public:
  ExceptAutomaton(const Lexeme& all, const TableLexeme& except)
      : all_(all.make_automaton()), except_(except), away_(static_cast<State>(except.table().nodes.size())) {}

  State start() override { return pack(all_->start(), 0); }
  State next(State state, std::uint8_t byte) override {
    const State inner = all_->next(state / (away_ + 1), byte);
    if (inner == kDead) return kDead;
    const State near = state % (away_ + 1);
    const State known = near == away_ ? kDead : except_.table().next(near, byte);
    if (known == kDead) return pack(inner, away_);
    return except_.table().nodes[known].accepts ? kDead : pack(inner, known);
  }
  bool accepts(State state) override { return all_->accepts(state / (away_ + 1)); }
  ByteSet bytes(State state) override {
    ByteSet bytes;
    all_->bytes(state / (away_ + 1)).for_each([&](std::uint8_t byte) {
      if (next(state, byte) != kDead) bytes.add(byte);
    });
    return bytes;
  }
  std::uint32_t text_room(State state, TextClass text) override {
    return all_->text_room(state / (away_ + 1), text);  // what is excluded ends with a quotation mark
  }

 private:
  State pack(State inner, State near) const { return inner * (away_ + 1) + near; }

  std::unique_ptr<ByteAutomaton> all_;
  const TableLexeme& except_;
  State away_;
};

class ExceptLexeme final : public Lexeme {
 public:
  ExceptLexeme(std::shared_ptr<const Lexeme> all, std::shared_ptr<const TableLexeme> except)
      : all_(std::move(all)), except_(std::move(except)) {}
  std::unique_ptr<ByteAutomaton> make_automaton() const override {
    return std::make_unique<ExceptAutomaton>(*all_, *except_);
  }

 private:
  std::shared_ptr<const Lexeme> all_;
  std::shared_ptr<const TableLexeme> except_;  // may be shared with the keys that are declared
};

// Shortest spelling: escapes only where JSON demands them. Control characters that have no short escape are
// left out, which no sane key contains.
std::shared_ptr<const Lexeme> shortest_string() {
  static const std::shared_ptr<const Lexeme> kLexeme =
      make_quoted(write_content(R"((?:[^\x00-\x1F"\\]|\\["\\bfnrt])*)", CharacterEncoding::utf8));
  return kLexeme;
}

}  // namespace

std::shared_ptr<const TableLexeme> any_string_content() {
  static const std::shared_ptr<const TableLexeme> kLexeme =
      write_content(R"([^]*)", CharacterEncoding::json_string);
  return kLexeme;
}

std::shared_ptr<const Lexeme> make_sized_content(LengthRange length) {
  assert(length.min <= length.max && length.min <= kMaxCountedLength);
  return std::make_shared<const SizedLexeme>(any_string_content(), length);
}

std::shared_ptr<const Lexeme> make_quoted(std::shared_ptr<const Lexeme> content) {
  return std::make_shared<const QuotedLexeme>(std::move(content));
}

std::string shortest_spelling(std::string_view text) {
  constexpr std::string_view kEscaped = "\"\\\b\f\n\r\t";
  constexpr std::string_view kLetters = "\"\\bfnrt";
  constexpr std::string_view kHex = "0123456789abcdef";
  std::string out = "\"";
  for (const char c : text) {
    const std::size_t found = kEscaped.find(c);
    const auto byte = static_cast<unsigned char>(c);
    if (found != std::string_view::npos) {
      out += {'\\', kLetters[found]};
    } else if (byte < 0x20) {
      out += {'\\', 'u', '0', '0', kHex[byte >> 4], kHex[byte & 15]};
    } else {
      out += c;
    }
  }
  return out + '"';
}

std::shared_ptr<const Lexeme> make_string_except(std::span<const std::string> quoted) {
  return make_string_except(quoted.empty() ? nullptr : make_literals(quoted));
}

std::shared_ptr<const Lexeme> make_string_except(std::shared_ptr<const TableLexeme> quoted) {
  if (!quoted) return shortest_string();
  return std::make_shared<const ExceptLexeme>(shortest_string(), std::move(quoted));
}

}  // namespace parley::inference::grammar
