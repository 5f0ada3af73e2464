#include "inference/grammar/table_lexeme.h"

#include <algorithm>
#include <unordered_map>
#include <utility>

#include "inference/grammar/text_room.h"

namespace parley::inference::grammar {
namespace {

using State = DfaTable::State;

constexpr std::size_t kMaxWriteWork = 5'000'000;  // of automata while they are written out: some 20 ms

class TableAutomaton final : public ByteAutomaton {
 public:
  explicit TableAutomaton(const TableLexeme& lexeme) : lexeme_(lexeme), room_(*this) {}
  State start() override { return 0; }
  State next(State state, std::uint8_t byte) override { return lexeme_.table().next(state, byte); }
  bool accepts(State state) override { return lexeme_.table().nodes[state].accepts; }
  ByteSet bytes(State state) override { return lexeme_.bytes(state); }
  std::uint32_t text_room(State state, TextClass text) override { return room_.of(state, text); }
  int tag(State state) override { return lexeme_.table().nodes[state].tag; }
  std::uint64_t open_tags(State state) override { return lexeme_.table().nodes[state].open_tags; }
  bool reaches_tag(State state, int first, int last) override {
    return lexeme_.table().tags.reaches(state, first, last);
  }
  std::size_t work() const override { return room_.work(); }

 private:
  const TableLexeme& lexeme_;
  TextRoom room_;
};

std::vector<bool> find_live(const DfaTable& table) {
  std::vector<std::vector<State>> reverse(table.nodes.size());
  std::vector<State> work;
  std::vector<bool> live(table.nodes.size());
  for (State state = 0; state < table.nodes.size(); ++state) {
    for (const DfaTable::Edge& edge : table.nodes[state].edges) reverse[edge.to].push_back(state);
    if (!table.nodes[state].accepts) continue;
    live[state] = true;
    work.push_back(state);
  }
  while (!work.empty()) {
    const State state = work.back();
    work.pop_back();
    for (const State from : reverse[state]) {
      if (!live[from]) work.push_back(from);
      live[from] = true;
    }
  }
  return live;
}

State add_child(DfaTable& table, State state, std::uint8_t byte) {
  const State known = table.next(state, byte);
  if (known != ByteAutomaton::kDead) return known;
  const auto made = static_cast<State>(table.nodes.size());
  table.nodes.push_back({.edges = {}, .open_tags = 0});
  table.nodes[state].edges.push_back({byte, byte, made});
  return made;
}

// One automaton, or two in step, as a graph of numbered states.
class Explorer {
 public:
  Explorer(const Lexeme& a, const Lexeme* b, std::size_t max_states)
      : a_(a.make_automaton()), b_(b != nullptr ? b->make_automaton() : nullptr), max_states_(max_states) {}

  std::optional<DfaTable> explore() {
    number({a_->start(), b_ ? b_->start() : 0});
    for (State state = 0; state < found_.size(); ++state) {
      const std::size_t work = a_->work() + (b_ ? b_->work() : 0);
      if (found_.size() > max_states_ || work > kMaxWriteWork) return std::nullopt;
      table_.nodes.resize(found_.size());
      add_edges(state);
    }
    table_.nodes.resize(found_.size());
    return std::move(table_);
  }

 private:
  using Pair = std::pair<State, State>;

  void add_edges(State state) {
    const Pair from = found_[state];
    DfaTable::Node node;
    node.accepts = a_->accepts(from.first) && (!b_ || b_->accepts(from.second));
    node.tag = node.accepts ? a_->tag(from.first) : ByteAutomaton::kNoTag;
    const ByteSet bytes = b_ ? a_->bytes(from.first) & b_->bytes(from.second) : a_->bytes(from.first);
    bytes.for_each([&](std::uint8_t byte) {
      const State to = number({a_->next(from.first, byte), b_ ? b_->next(from.second, byte) : 0});
      const bool extends =
          !node.edges.empty() && node.edges.back().to == to && node.edges.back().high + 1 == byte;
      if (extends) {
        node.edges.back().high = byte;
      } else {
        node.edges.push_back({byte, byte, to});
      }
    });
    table_.nodes[state] = std::move(node);
  }

  State number(Pair pair) {
    const std::uint64_t key = std::uint64_t{pair.first} << 32 | pair.second;
    const auto [found, is_new] = numbers_.try_emplace(key, static_cast<State>(found_.size()));
    if (is_new) found_.push_back(pair);
    return found->second;
  }

  std::unique_ptr<ByteAutomaton> a_;
  std::unique_ptr<ByteAutomaton> b_;
  std::size_t max_states_;
  DfaTable table_;
  std::vector<Pair> found_;
  std::unordered_map<std::uint64_t, State> numbers_;
};

}  // namespace

State DfaTable::next(State state, std::uint8_t byte) const {
  for (const Edge& edge : nodes[state].edges) {
    if (edge.low <= byte && byte <= edge.high) return edge.to;
  }
  return ByteAutomaton::kDead;
}

TableLexeme::TableLexeme(DfaTable table) : table_(std::move(table)), bytes_(table_.nodes.size()) {
  const std::vector<bool> live = find_live(table_);
  for (State state = 0; state < table_.nodes.size(); ++state) {
    auto& edges = table_.nodes[state].edges;
    std::erase_if(edges, [&](const DfaTable::Edge& edge) { return !live[edge.to]; });
    for (const DfaTable::Edge& edge : edges) bytes_[state].add_range(edge.low, edge.high);
  }
}

std::unique_ptr<ByteAutomaton> TableLexeme::make_automaton() const {
  return std::make_unique<TableAutomaton>(*this);
}

std::size_t TableLexeme::memory() const {
  std::size_t memory =
      table_.tags.memory() + table_.nodes.size() * (sizeof(DfaTable::Node) + sizeof(ByteSet));
  for (const DfaTable::Node& node : table_.nodes)
    memory += node.edges.capacity() * sizeof(DfaTable::Edge) + 16;
  return memory;
}

std::shared_ptr<const TableLexeme> make_literals(std::span<const std::string> strings) {
  DfaTable table;
  table.nodes[0].open_tags = 0;
  const bool has_many = strings.size() > 64;
  for (std::size_t tag = 0; tag < strings.size(); ++tag) {
    const std::uint64_t bit = tag < 64 ? std::uint64_t{1} << tag : 0;
    State state = 0;
    const auto note = [&] {
      table.nodes[state].open_tags |= bit;
      if (has_many) table.tags.add(state, static_cast<int>(tag));
    };
    note();
    for (const char byte : strings[tag]) {
      state = add_child(table, state, static_cast<std::uint8_t>(byte));
      note();
    }
    if (table.nodes[state].accepts) continue;
    table.nodes[state].accepts = true;
    table.nodes[state].tag = static_cast<int>(tag);
  }
  table.tags.finish();
  return std::make_shared<const TableLexeme>(std::move(table));
}

std::shared_ptr<const TableLexeme> make_literal(std::string string) {
  return make_literals(std::span<const std::string>(&string, 1));
}

std::shared_ptr<const TableLexeme> write_out(const Lexeme& lexeme, std::size_t max_states) {
  std::optional<DfaTable> table = Explorer(lexeme, nullptr, max_states).explore();
  if (!table) return nullptr;
  return std::make_shared<const TableLexeme>(std::move(*table));
}

std::optional<std::shared_ptr<const TableLexeme>> intersect(const Lexeme& a, const Lexeme& b,
                                                            std::size_t max_states) {
  std::optional<DfaTable> table = Explorer(a, &b, max_states).explore();
  if (!table) return std::nullopt;
  if (is_empty(*table)) return std::shared_ptr<const TableLexeme>();
  return std::make_shared<const TableLexeme>(std::move(*table));
}

bool is_empty(const DfaTable& table) {
  const std::vector<bool> live = find_live(table);
  return !live[0];
}

bool matches(const Lexeme& lexeme, std::string_view text) {
  const auto automaton = lexeme.make_automaton();
  ByteAutomaton::State state = automaton->start();
  for (const char byte : text) {
    state = automaton->next(state, static_cast<std::uint8_t>(byte));
    if (state == ByteAutomaton::kDead) return false;
  }
  return automaton->accepts(state);
}

}  // namespace parley::inference::grammar
