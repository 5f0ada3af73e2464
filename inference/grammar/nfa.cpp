#include "inference/grammar/nfa.h"

#include <algorithm>
#include <array>
#include <string>
#include <string_view>
#include <utility>

#include "inference/tokenizer/utf8.h"

namespace parley::inference::grammar {
namespace {

constexpr std::size_t kStepsPerState = 8;
constexpr CodePointRange kPrintableAscii = {0x20, 0x7E};

// A way to write numbers as a sequence of digits, the most significant first.
class Digits {
 public:
  virtual ~Digits() = default;
  virtual void add_edge(std::size_t place, int low, int high, Nfa::State from, Nfa::State to) const = 0;
  virtual int min(std::size_t place) const = 0;
  virtual int max(std::size_t place) const = 0;
};

using DigitString = std::vector<int>;

class DigitRange {
 public:
  DigitRange(NfaBuilder& builder, const Digits& digits) : builder_(builder), digits_(digits) {}

  // All strings between `low` and `high`, which are of one length.
  void add(const DigitString& low, const DigitString& high, std::size_t place, Nfa::State from,
           Nfa::State to) {
    if (place + 1 == low.size()) return digits_.add_edge(place, low[place], high[place], from, to);
    if (low[place] == high[place]) return add_rest(low, high, place, from, to);
    int first = low[place];
    int last = high[place];
    if (!is_extreme(low, place + 1, Extreme::lowest)) {
      add_rest(low, extreme(low, place, Extreme::highest), place, from, to);
      ++first;
    }
    if (!is_extreme(high, place + 1, Extreme::highest)) {
      add_rest(extreme(high, place, Extreme::lowest), high, place, from, to);
      --last;
    }
    if (first > last) return;
    const Nfa::State middle = builder_.add_state();
    digits_.add_edge(place, first, last, from, middle);
    add(extreme(low, place, Extreme::lowest), extreme(low, place, Extreme::highest), place + 1, middle, to);
  }

 private:
  enum class Extreme : std::uint8_t { lowest, highest };

  void add_rest(const DigitString& low, const DigitString& high, std::size_t place, Nfa::State from,
                Nfa::State to) {
    const Nfa::State next = builder_.add_state();
    digits_.add_edge(place, low[place], low[place], from, next);
    add(low, high, place + 1, next, to);
  }
  int extreme_digit(std::size_t place, Extreme which) const {
    return which == Extreme::lowest ? digits_.min(place) : digits_.max(place);
  }
  bool is_extreme(const DigitString& number, std::size_t begin, Extreme which) const {
    for (std::size_t place = begin; place < number.size(); ++place) {
      if (number[place] != extreme_digit(place, which)) return false;
    }
    return true;
  }
  // `number` with all places behind `place` at their extreme.
  DigitString extreme(DigitString number, std::size_t place, Extreme which) const {
    while (++place < number.size()) number[place] = extreme_digit(place, which);
    return number;
  }

  NfaBuilder& builder_;
  const Digits& digits_;
};

class Utf8Digits final : public Digits {
 public:
  explicit Utf8Digits(NfaBuilder& builder) : builder_(builder) {}
  void add_edge(std::size_t, int low, int high, Nfa::State from, Nfa::State to) const override {
    builder_.add_bytes(from, static_cast<std::uint8_t>(low), static_cast<std::uint8_t>(high), to);
  }
  int min(std::size_t place) const override { return place == 0 ? 0 : 0x80; }
  int max(std::size_t place) const override { return place == 0 ? 0xF4 : 0xBF; }

 private:
  NfaBuilder& builder_;
};

class HexDigits final : public Digits {
 public:
  explicit HexDigits(NfaBuilder& builder) : builder_(builder) {}
  void add_edge(std::size_t, int low, int high, Nfa::State from, Nfa::State to) const override {
    if (low <= 9) add('0', low, std::min(high, 9), from, to);
    if (high < 10) return;
    add('a' - 10, std::max(low, 10), high, from, to);
    add('A' - 10, std::max(low, 10), high, from, to);
  }
  int min(std::size_t) const override { return 0; }
  int max(std::size_t) const override { return 15; }

 private:
  void add(int offset, int low, int high, Nfa::State from, Nfa::State to) const {
    builder_.add_bytes(from, static_cast<std::uint8_t>(offset + low),
                       static_cast<std::uint8_t>(offset + high), to);
  }

  NfaBuilder& builder_;
};

DigitString hex_digits(char32_t unit) {
  return {static_cast<int>(unit >> 12 & 15), static_cast<int>(unit >> 8 & 15),
          static_cast<int>(unit >> 4 & 15), static_cast<int>(unit & 15)};
}

// UTF-16 surrogates as two digits of ten bits, each written as \uXXXX. The first backslash and u are read.
class SurrogateDigits final : public Digits {
 public:
  explicit SurrogateDigits(NfaBuilder& builder) : builder_(builder) {}
  void add_edge(std::size_t place, int low, int high, Nfa::State from, Nfa::State to) const override {
    const char32_t base = place == 0 ? 0xD800 : 0xDC00;
    if (place == 1) {
      const Nfa::State backslash = builder_.add_state();
      const Nfa::State letter = builder_.add_state();
      builder_.add_bytes(from, '\\', '\\', backslash);
      builder_.add_bytes(backslash, 'u', 'u', letter);
      from = letter;
    }
    DigitRange(builder_, HexDigits(builder_))
        .add(hex_digits(base + static_cast<char32_t>(low)), hex_digits(base + static_cast<char32_t>(high)), 0,
             from, to);
  }
  int min(std::size_t) const override { return 0; }
  int max(std::size_t) const override { return 1023; }

 private:
  NfaBuilder& builder_;
};

DigitString utf8_digits(char32_t c) {
  std::string bytes;
  tokenizer::append_utf8(bytes, c);
  DigitString digits;
  for (const char byte : bytes) digits.push_back(static_cast<unsigned char>(byte));
  return digits;
}

void add_utf8(NfaBuilder& builder, Nfa::State from, const CodePointSet& set, Nfa::State to) {
  constexpr CodePointRange kLengths[] = {{0, 0x7F}, {0x80, 0x7FF}, {0x800, 0xFFFF}, {0x10000, 0x10FFFF}};
  const Utf8Digits digits(builder);
  for (const CodePointRange& range : set.ranges()) {
    for (const CodePointRange& length : kLengths) {
      const char32_t first = std::max(range.first, length.first);
      const char32_t last = std::min(range.last, length.last);
      if (first <= last) DigitRange(builder, digits).add(utf8_digits(first), utf8_digits(last), 0, from, to);
    }
  }
}

void add_short_escapes(NfaBuilder& builder, Nfa::State backslash, const CodePointSet& set, Nfa::State to) {
  constexpr std::pair<char32_t, char> kEscapes[] = {{'"', '"'}, {'\\', '\\'}, {'/', '/'}, {8, 'b'},
                                                    {12, 'f'},  {10, 'n'},    {13, 'r'},  {9, 't'}};
  for (const auto& [c, letter] : kEscapes) {
    const auto byte = static_cast<std::uint8_t>(letter);
    if (set.contains({c, c})) builder.add_bytes(backslash, byte, byte, to);
  }
}

void add_numeric_escapes(NfaBuilder& builder, Nfa::State letter, const CodePointSet& set, Nfa::State to) {
  const HexDigits hex(builder);
  const SurrogateDigits surrogates(builder);
  for (const auto& [first, last] : set.ranges()) {
    if (first <= 0xFFFF) {
      DigitRange(builder, hex)
          .add(hex_digits(first), hex_digits(std::min<char32_t>(last, 0xFFFF)), 0, letter, to);
    }
    if (last < 0x10000) continue;
    const char32_t low = std::max<char32_t>(first, 0x10000) - 0x10000;
    const char32_t high = last - 0x10000;
    DigitRange(builder, surrogates)
        .add({static_cast<int>(low >> 10), static_cast<int>(low & 1023)},
             {static_cast<int>(high >> 10), static_cast<int>(high & 1023)}, 0, letter, to);
  }
}

const CodePointSet& never_raw_in_json() {
  static const CodePointSet kSet{{0, 0x1F}, {'"', '"'}, {'\\', '\\'}};
  return kSet;
}

const CodePointSet& worth_escaping() {
  static const CodePointSet kSet{{0, 0x1F}, {'"', '"'}, {'\\', '\\'}, {0x7F, 0x10FFFF}};
  return kSet;
}

}  // namespace

Nfa::State NfaBuilder::add_state() {
  if (nfa_.nodes.size() >= max_states_) {
    too_large_ = true;
    return 0;
  }
  nfa_.nodes.emplace_back();
  return static_cast<Nfa::State>(nfa_.nodes.size() - 1);
}

void NfaBuilder::link(Nfa::State from, Nfa::State to, Nfa::When when) {
  count_step();
  if (!too_large_) nfa_.nodes[from].links.push_back({when, to});
}

void NfaBuilder::add_bytes(Nfa::State from, std::uint8_t low, std::uint8_t high, Nfa::State to) {
  count_step();
  if (!too_large_) nfa_.nodes[from].edges.push_back({low, high, to});
}

void NfaBuilder::add_characters(Nfa::State from, const CodePointSet& set, CharacterEncoding encoding,
                                Nfa::State to) {
  if (encoding == CharacterEncoding::utf8) return add_utf8(*this, from, set, to);
  add_utf8(*this, from, intersect(set, never_raw_in_json().complement()), to);
  const Nfa::State backslash = add_state();
  const Nfa::State letter = add_state();
  add_bytes(from, '\\', '\\', backslash);
  add_short_escapes(*this, backslash, set, to);
  add_bytes(backslash, 'u', 'u', letter);
  const bool takes_all_ascii = set.contains(kPrintableAscii);
  add_numeric_escapes(*this, letter, takes_all_ascii ? set : intersect(set, worth_escaping()), to);
}

void NfaBuilder::count_step() {
  if (++num_steps_ > kStepsPerState * max_states_) too_large_ = true;
}

Nfa NfaBuilder::take(Nfa::State start, Nfa::State accept) {
  nfa_.start = start;
  nfa_.accept = accept;
  return std::move(nfa_);
}

}  // namespace parley::inference::grammar
