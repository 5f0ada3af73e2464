#include "inference/grammar/lazy_dfa.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <unordered_map>
#include <utility>
#include <vector>

#include "inference/grammar/text_room.h"

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

// Bytes that no edge tells apart.
class ByteClasses {
 public:
  explicit ByteClasses(const Nfa& nfa) {
    std::array<bool, 257> begins{};  // a class
    for (const Nfa::Node& node : nfa.nodes) {
      for (const Nfa::Edge& edge : node.edges) {
        begins[edge.low] = true;
        begins[std::size_t{edge.high} + 1] = true;
      }
    }
    for (std::size_t byte = 0; byte < of_.size(); ++byte) {
      if (byte > 0 && begins[byte]) ++count_;
      of_[byte] = static_cast<std::uint8_t>(count_ - 1);
    }
  }

  std::size_t of(std::uint8_t byte) const { return of_[byte]; }
  std::size_t count() const { return count_; }

 private:
  std::array<std::uint8_t, 256> of_{};
  std::size_t count_ = 1;
};

// An Nfa with what is the same for all its automata: which states lead to acceptance, and whether they end.
class TrimmedNfa {
 public:
  explicit TrimmedNfa(Nfa nfa)
      : nfa_(std::move(nfa)), ends_(nfa_.nodes.size()), lives_(nfa_.nodes.size()), classes_(nfa_) {
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
  const ByteClasses& classes() const { return classes_; }

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
  ByteClasses classes_;
};

class LazyDfa final : public ByteAutomaton {
 public:
  explicit LazyDfa(const TrimmedNfa& trimmed)
      : trimmed_(trimmed), marks_(trimmed.nfa().nodes.size()), room_(*this) {
    start_ = intern(closure({trimmed.nfa().start}, Position::begin));
  }

  State start() override { return start_; }

  State next(State state, std::uint8_t byte) override {
    const std::size_t step = state * trimmed_.classes().count() + trimmed_.classes().of(byte);
    if (steps_[step] == kUnknown) {
      const State made = compute(state, byte);
      steps_[step] = made;
    }
    return steps_[step];
  }

  bool accepts(State state) override { return rows_[state].accepts; }
  ByteSet bytes(State state) override { return rows_[state].bytes; }

  std::uint32_t text_room(State state, TextClass text) override {
    return rows_[state].set->size() <= kMaxRoomSet ? room_.of(state, text) : 0;
  }

  bool is_costly() const override { return true; }
  std::size_t work() const override { return work_ + room_.work(); }
  std::size_t memory() const override { return memory_ + room_.memory(); }

  State import(const ByteAutomaton& other, State state) override {
    const Row& row = static_cast<const LazyDfa&>(other).rows_[state];
    return intern(*row.set);
  }

 private:
  static constexpr State kUnknown = kDead - 1;
  static constexpr std::size_t kMaxRoomSet = 64;
  enum class Position : std::uint8_t { begin, inside };

  struct Row {
    ByteSet bytes;
    const NfaSet* set = nullptr;  // a key of states_, which stay where they are
    bool accepts = false;
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
    row.set = &found->first;
    for (const Nfa::State state : found->first) {
      row.accepts = row.accepts || trimmed_.ends(state);
      for (const Nfa::Edge& edge : trimmed_.nfa().nodes[state].edges) {
        if (trimmed_.lives(edge.to)) row.bytes.add_range(edge.low, edge.high);
      }
    }
    rows_.push_back(row);
    const std::size_t num_classes = trimmed_.classes().count();
    steps_.resize(rows_.size() * num_classes, kUnknown);
    memory_ += sizeof(Row) + sizeof(State) * num_classes + sizeof(Nfa::State) * found->first.size() + 64;
    return static_cast<State>(rows_.size() - 1);
  }

  const TrimmedNfa& trimmed_;
  std::unordered_map<NfaSet, State, NfaSetHash> states_;
  std::vector<Row> rows_;
  std::vector<State> steps_;  // by state and class of bytes
  std::vector<std::uint32_t> marks_;
  std::uint32_t mark_ = 0;
  State start_ = kDead;
  std::size_t work_ = 0;
  std::size_t memory_ = 0;
  TextRoom room_;
};

class NfaLexeme final : public Lexeme {
 public:
  explicit NfaLexeme(Nfa nfa) : trimmed_(std::move(nfa)) {}
  std::unique_ptr<ByteAutomaton> make_automaton() const override {
    return std::make_unique<LazyDfa>(trimmed_);
  }
  std::size_t memory() const override {
    std::size_t memory = 0;
    for (const Nfa::Node& node : trimmed_.nfa().nodes) {
      memory += sizeof(Nfa::Node) + 32 + node.edges.capacity() * sizeof(Nfa::Edge) +
                node.links.capacity() * sizeof(Nfa::Link);
    }
    return memory;
  }

 private:
  TrimmedNfa trimmed_;
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

}  // namespace parley::inference::grammar
