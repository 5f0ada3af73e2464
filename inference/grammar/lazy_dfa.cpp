#include "inference/grammar/lazy_dfa.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <optional>
#include <unordered_map>
#include <utility>
#include <vector>

namespace parley::inference::grammar {
namespace {

using NfaSet = std::vector<Nfa::State>;  // ascending

struct NfaSetHash {
  std::size_t operator()(const NfaSet& set) const {
    std::uint64_t hash = 0xCBF29CE484222325;
    for (const Nfa::State state : set) hash = (hash ^ state) * 0x100000001B3;
    return static_cast<std::size_t>(hash ^ (hash >> 29));
  }
};

// An Nfa with what is the same for all its automata: which states lead to acceptance, and whether they end.
class TrimmedNfa {
 public:
  explicit TrimmedNfa(Nfa nfa) : nfa_(std::move(nfa)), ends_(nfa_.nodes.size()), lives_(nfa_.nodes.size()) {
    find_ends();
    find_lives();
  }

  const Nfa& nfa() const { return nfa_; }
  // The text may end in this state, without going on to another one first.
  bool ends(Nfa::State state) const {
    if (state == nfa_.accept) return true;
    const auto& links = nfa_.nodes[state].links;
    return std::any_of(links.begin(), links.end(), [&](const Nfa::Link& link) {
      return link.when == Nfa::When::at_end && ends_[link.to];
    });
  }
  // Some text leads from this state to acceptance, where it is not the first of the text.
  bool lives(Nfa::State state) const { return lives_[state]; }

 private:
  using Reverse = std::vector<std::vector<Nfa::State>>;

  static void spread(const Reverse& reverse, std::vector<Nfa::State> work, std::vector<bool>& reached) {
    while (!work.empty()) {
      const Nfa::State state = work.back();
      work.pop_back();
      for (const Nfa::State from : reverse[state]) {
        if (!reached[from]) work.push_back(from);
        reached[from] = true;
      }
    }
  }

  void find_ends() {
    Reverse reverse(nfa_.nodes.size());
    for (Nfa::State from = 0; from < nfa_.nodes.size(); ++from) {
      for (const Nfa::Link& link : nfa_.nodes[from].links) {
        if (link.when != Nfa::When::at_begin) reverse[link.to].push_back(from);
      }
    }
    ends_[nfa_.accept] = true;
    spread(reverse, {nfa_.accept}, ends_);
  }

  void find_lives() {
    Reverse reverse(nfa_.nodes.size());
    for (Nfa::State from = 0; from < nfa_.nodes.size(); ++from) {
      for (const Nfa::Edge& edge : nfa_.nodes[from].edges) reverse[edge.to].push_back(from);
      for (const Nfa::Link& link : nfa_.nodes[from].links) {
        if (link.when == Nfa::When::always) reverse[link.to].push_back(from);
      }
    }
    std::vector<Nfa::State> work;
    for (Nfa::State state = 0; state < nfa_.nodes.size(); ++state) {
      if (ends_[state]) work.push_back(state);
    }
    lives_ = ends_;
    spread(reverse, std::move(work), lives_);
  }

  Nfa nfa_;
  std::vector<bool> ends_;
  std::vector<bool> lives_;
};

class LazyDfa final : public ByteAutomaton {
 public:
  explicit LazyDfa(const TrimmedNfa& trimmed) : trimmed_(trimmed), marks_(trimmed.nfa().nodes.size()) {
    start_ = intern(closure({trimmed.nfa().start}, Position::begin));
  }

  State start() override { return start_; }

  State next(State state, std::uint8_t byte) override {
    State& known = rows_[state].next[byte];
    if (known == kUnknown) {
      const State made = compute(state, byte);
      rows_[state].next[byte] = made;  // the reference may be gone
      return made;
    }
    return known;
  }

  bool accepts(State state) override { return rows_[state].accepts; }
  ByteSet bytes(State state) override { return rows_[state].bytes; }

  std::uint32_t text_room(State state) override {
    if (!rows_[state].loops) {
      const bool is_small = rows_[state].set->size() <= kMaxLoopSet;
      rows_[state].loops = is_small && loops_on_safe_text(*this, state);
    }
    return *rows_[state].loops ? kEndless : 0;
  }

  bool is_costly() const override { return true; }
  std::size_t work() const override { return work_; }
  std::size_t memory() const override { return memory_; }

  State import(const ByteAutomaton& other, State state) override {
    const Row& row = static_cast<const LazyDfa&>(other).rows_[state];
    return intern(*row.set);
  }

 private:
  static constexpr State kUnknown = kDead - 1;
  static constexpr std::size_t kMaxLoopSet = 64;
  enum class Position : std::uint8_t { begin, inside };

  struct Row {
    std::array<State, 256> next;
    ByteSet bytes;
    const NfaSet* set = nullptr;  // a key of states_, which stay where they are
    bool accepts = false;
    std::optional<bool> loops;
  };

  State compute(State state, std::uint8_t byte) {
    if (!rows_[state].bytes.contains(byte)) return kDead;
    NfaSet targets;
    for (const Nfa::State from : *rows_[state].set) {
      for (const Nfa::Edge& edge : trimmed_.nfa().nodes[from].edges) {
        const bool is_taken = edge.low <= byte && byte <= edge.high && trimmed_.lives(edge.to);
        if (is_taken) targets.push_back(edge.to);
      }
    }
    work_ += rows_[state].set->size() + targets.size();
    return intern(closure(targets, Position::inside));
  }

  // All states that are reached without a byte; of these, those where something happens.
  NfaSet closure(const NfaSet& from, Position position) {
    ++mark_;
    NfaSet set;
    NfaSet work;
    for (const Nfa::State state : from) {
      if (marks_[state] != mark_) work.push_back(state);
      marks_[state] = mark_;
    }
    while (!work.empty()) {
      const Nfa::State state = work.back();
      work.pop_back();
      ++work_;
      const Nfa::Node& node = trimmed_.nfa().nodes[state];
      if (!node.edges.empty() || trimmed_.ends(state)) set.push_back(state);
      for (const Nfa::Link& link : node.links) {
        if (!is_open(link, position) || marks_[link.to] == mark_) continue;
        marks_[link.to] = mark_;
        work.push_back(link.to);
      }
    }
    std::sort(set.begin(), set.end());
    return set;
  }

  bool is_open(const Nfa::Link& link, Position position) const {
    if (link.when == Nfa::When::at_end) return false;
    if (position == Position::begin) return true;
    return link.when == Nfa::When::always && trimmed_.lives(link.to);
  }

  State intern(NfaSet set) {
    const auto [found, is_new] = states_.try_emplace(std::move(set), static_cast<State>(rows_.size()));
    if (!is_new) return found->second;
    Row row;
    row.next.fill(kUnknown);
    row.set = &found->first;
    for (const Nfa::State state : found->first) {
      row.accepts = row.accepts || trimmed_.ends(state);
      for (const Nfa::Edge& edge : trimmed_.nfa().nodes[state].edges) {
        if (trimmed_.lives(edge.to)) row.bytes.add_range(edge.low, edge.high);
      }
    }
    rows_.push_back(row);
    memory_ += sizeof(Row) + sizeof(Nfa::State) * found->first.size() + 64;
    return static_cast<State>(rows_.size() - 1);
  }

  const TrimmedNfa& trimmed_;
  std::unordered_map<NfaSet, State, NfaSetHash> states_;
  std::vector<Row> rows_;
  std::vector<std::uint32_t> marks_;
  std::uint32_t mark_ = 0;
  State start_ = kDead;
  std::size_t work_ = 0;
  std::size_t memory_ = 0;
};

class NfaLexeme final : public Lexeme {
 public:
  explicit NfaLexeme(Nfa nfa) : trimmed_(std::move(nfa)) {}
  std::unique_ptr<ByteAutomaton> make_automaton() const override {
    return std::make_unique<LazyDfa>(trimmed_);
  }

 private:
  TrimmedNfa trimmed_;
};

// Follows all encodings of the characters of safe text, level by level of their continuation bytes.
class SafeTextLoop {
 public:
  SafeTextLoop(ByteAutomaton& automaton, ByteAutomaton::State goal) : automaton_(automaton), goal_(goal) {}

  bool holds() {
    return goes(goal_, {0x20, 0x21}, 0) && goes(goal_, {0x23, 0x5B}, 0) && goes(goal_, {0x5D, 0x7E}, 0) &&
           goes(goal_, {0xC2, 0xDF}, 1) && goes_by_lead(0xE0, {0xA0, 0xBF}, 1) &&
           goes(goal_, {0xE1, 0xEC}, 2) && goes_by_lead(0xED, {0x80, 0x9F}, 1) &&
           goes(goal_, {0xEE, 0xEF}, 2) && goes_by_lead(0xF0, {0x90, 0xBF}, 2) &&
           goes(goal_, {0xF1, 0xF3}, 3) && goes_by_lead(0xF4, {0x80, 0x8F}, 2);
  }

 private:
  struct Bytes {
    int low = 0;
    int high = 0;
  };

  bool goes(ByteAutomaton::State from, Bytes bytes, int num_more) {
    ByteAutomaton::State last = ByteAutomaton::kDead;
    for (int byte = bytes.low; byte <= bytes.high; ++byte) {
      const ByteAutomaton::State to = automaton_.next(from, static_cast<std::uint8_t>(byte));
      if (to == last) continue;
      const bool is_right =
          num_more == 0 ? to == goal_ : to != ByteAutomaton::kDead && goes(to, {0x80, 0xBF}, num_more - 1);
      if (!is_right) return false;
      last = to;
    }
    return true;
  }

  bool goes_by_lead(std::uint8_t lead, Bytes second, int num_more) {
    const ByteAutomaton::State to = automaton_.next(goal_, lead);
    return to != ByteAutomaton::kDead && goes(to, second, num_more);
  }

  ByteAutomaton& automaton_;
  ByteAutomaton::State goal_;
};

}  // namespace

std::shared_ptr<const Lexeme> make_nfa_lexeme(Nfa nfa) {
  auto lexeme = std::make_shared<const NfaLexeme>(std::move(nfa));
  const auto automaton = lexeme->make_automaton();
  const bool is_empty =
      !automaton->accepts(automaton->start()) && automaton->bytes(automaton->start()).size() == 0;
  if (is_empty) return nullptr;
  return lexeme;
}

bool loops_on_safe_text(ByteAutomaton& automaton, ByteAutomaton::State state) {
  return SafeTextLoop(automaton, state).holds();
}

}  // namespace parley::inference::grammar
