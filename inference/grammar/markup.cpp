#include "inference/grammar/markup.h"

#include <algorithm>
#include <array>
#include <string>
#include <utility>

#include "inference/grammar/tag_index.h"

namespace parley::inference::grammar {
namespace {

using State = ByteAutomaton::State;
using SymbolKind = MarkupSymbol::Kind;

constexpr std::string_view kNameBytes = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_-.";

const ByteSet& name_bytes() {
  static const ByteSet kBytes = [] {
    ByteSet bytes;
    for (const char byte : kNameBytes) bytes.add(static_cast<std::uint8_t>(byte));
    return bytes;
  }();
  return kBytes;
}

// A trie; children come behind their parents.
struct MarkupTable {
  struct Edge {
    MarkupSymbol symbol;
    State to = 0;
  };
  struct Node {
    std::vector<Edge> edges;
    ByteSet bytes;
    int tag = ByteAutomaton::kNoTag;
    std::uint64_t open_tags = 0;
    State away = ByteAutomaton::kDead;  // where bytes of names lead that have no edge
    bool accepts = false;
    bool takes_tokens = false;
  };
  std::vector<Node> nodes{1};
  TagIndex tags;  // where there are more than 64

  State edge(State state, MarkupSymbol symbol) const {
    for (const Edge& edge : nodes[state].edges) {
      if (edge.symbol == symbol) return edge.to;
    }
    return ByteAutomaton::kDead;
  }

  State next(State state, MarkupSymbol symbol) const {
    const State to = edge(state, symbol);
    const bool may_leave = to == ByteAutomaton::kDead && nodes[state].away != ByteAutomaton::kDead &&
                           symbol.kind == SymbolKind::byte;
    return may_leave && name_bytes().contains(static_cast<std::uint8_t>(symbol.value)) ? nodes[state].away
                                                                                       : to;
  }

  State add(State from, MarkupSymbol symbol) {
    const State known = edge(from, symbol);
    if (known != ByteAutomaton::kDead) return known;
    const auto made = static_cast<State>(nodes.size());
    nodes.emplace_back();
    link(from, symbol, made);
    return made;
  }

  void link(State from, MarkupSymbol symbol, State to) {
    Node& node = nodes[from];
    node.edges.push_back({symbol, to});
    if (symbol.kind == SymbolKind::byte) {
      node.bytes.add(static_cast<std::uint8_t>(symbol.value));
    } else {
      node.takes_tokens = true;
    }
  }

  void leave(State state, State away) {
    nodes[state].away = away;
    nodes[state].bytes |= name_bytes();
  }

  void end(State state, int tag) {
    if (nodes[state].accepts) return;
    nodes[state].accepts = true;
    nodes[state].tag = tag;
  }
};

class MarkupAutomaton final : public ByteAutomaton {
 public:
  explicit MarkupAutomaton(const MarkupTable& table) : table_(table) {}

  State start() override { return 0; }
  State next(State state, std::uint8_t byte) override { return table_.next(state, {SymbolKind::byte, byte}); }
  bool accepts(State state) override { return table_.nodes[state].accepts; }
  ByteSet bytes(State state) override { return table_.nodes[state].bytes; }
  int tag(State state) override { return table_.nodes[state].tag; }
  std::uint64_t open_tags(State state) override { return table_.nodes[state].open_tags; }
  bool reaches_tag(State state, int first, int last) override {
    return table_.tags.reaches(state, first, last);
  }
  bool takes_tokens(State state) override { return table_.nodes[state].takes_tokens; }
  State next_token(State state, TokenId token) override {
    const State to = table_.next(state, {SymbolKind::control, token});
    return to != kDead ? to : table_.next(state, {SymbolKind::named, token});
  }
  std::optional<TokenId> named_token(State state) override {
    for (const MarkupTable::Edge& edge : table_.nodes[state].edges) {
      if (edge.symbol.kind == SymbolKind::named) return edge.symbol.value;
    }
    return std::nullopt;
  }

 private:
  const MarkupTable& table_;
};

class MarkupLexeme final : public Lexeme {
 public:
  explicit MarkupLexeme(MarkupTable table) : table_(std::move(table)) {}
  std::unique_ptr<ByteAutomaton> make_automaton() const override {
    return std::make_unique<MarkupAutomaton>(table_);
  }
  std::size_t memory() const override {
    std::size_t memory = table_.tags.memory() + table_.nodes.size() * (sizeof(MarkupTable::Node) + 16);
    for (const MarkupTable::Node& node : table_.nodes)
      memory += node.edges.capacity() * sizeof(MarkupTable::Edge);
    return memory;
  }

 private:
  const MarkupTable table_;
};

// White space goes on in states of its own, unless it is how another markup goes on.
void add_space(MarkupTable& table, State from, std::uint32_t max_space, int tag, bool has_many_tags) {
  State state = from;
  for (std::uint32_t i = 0; i < max_space; ++i) {
    const std::uint64_t open = table.nodes[state].open_tags;
    const State run = table.add(state, {SymbolKind::byte, ' '});
    for (const char space : {'\t', '\n', '\r'}) {
      const MarkupSymbol symbol{SymbolKind::byte, space};
      if (table.edge(state, symbol) == ByteAutomaton::kDead) table.link(state, symbol, run);
    }
    table.nodes[run].open_tags |= open;
    if (has_many_tags) table.tags.add(run, tag);
    table.end(run, tag);
    state = run;
  }
}

}  // namespace

Markup markup_of_text(std::string_view text) {
  Markup markup;
  for (const char byte : text) markup.push_back({SymbolKind::byte, static_cast<std::uint8_t>(byte)});
  return markup;
}

Markup markup_of(std::string_view marker, const VocabularyIndex& vocabulary) {
  const tokenizer::Tokenizer& tokenizer = vocabulary.tokenizer();
  const std::array named = {tokenizer::TrustedRange{.begin = 0, .end = marker.size()}};
  Markup markup;
  std::string spelled;
  for (const TokenId token : tokenizer.encode(marker, named)) {
    const std::string_view bytes = tokenizer.token_bytes(token);
    spelled += bytes;
    const bool is_control = vocabulary.is_special(token) || vocabulary.is_end(token);
    if (is_control || vocabulary.user_token(bytes) == token) {
      markup.push_back({is_control ? SymbolKind::control : SymbolKind::named, token});
    } else {
      const Markup text = markup_of_text(bytes);
      markup.insert(markup.end(), text.begin(), text.end());
    }
  }
  return spelled == marker ? markup : markup_of_text(marker);  // a tokenizer leaves out bytes that it lacks
}

Markup joined(std::span<const Markup> parts) {
  Markup whole;
  for (const Markup& part : parts) whole.insert(whole.end(), part.begin(), part.end());
  return whole;
}

std::shared_ptr<const Lexeme> make_markups(std::span<const TaggedMarkup> markups, std::uint32_t max_space) {
  MarkupTable table;
  std::vector<State> ends;
  const bool has_many_tags =
      std::any_of(markups.begin(), markups.end(), [](const TaggedMarkup& each) { return each.tag >= 64; });
  for (const auto& [markup, tag] : markups) {
    const std::uint64_t bit = tag < 64 ? std::uint64_t{1} << tag : 0;
    State state = 0;
    const auto note = [&table, &state, bit, has_many_tags, tag = tag] {
      table.nodes[state].open_tags |= bit;
      if (has_many_tags) table.tags.add(state, tag);
    };
    note();
    for (const MarkupSymbol& symbol : markup) {
      state = table.add(state, symbol);
      note();
    }
    table.end(state, tag);
    ends.push_back(state);
  }
  for (std::size_t i = 0; i < markups.size(); ++i)
    add_space(table, ends[i], max_space, markups[i].tag, has_many_tags);
  table.tags.finish();
  return std::make_shared<const MarkupLexeme>(std::move(table));
}

bool is_plain_name(std::string_view name) {
  return !name.empty() && name.find_first_not_of(kNameBytes) == std::string_view::npos;
}

std::shared_ptr<const Lexeme> make_other_names(const Markup& before, std::span<const std::string> except,
                                               const Markup& behind, std::uint32_t max_space) {
  MarkupTable table;
  const State tail = table.add(0, behind.front());  // made here, linked below
  table.nodes[0] = {};
  State end = tail;
  for (std::size_t i = 1; i < behind.size(); ++i) end = table.add(end, behind[i]);
  State root = 0;
  for (const MarkupSymbol& symbol : before) root = table.add(root, symbol);
  const auto away = static_cast<State>(table.nodes.size());
  table.nodes.emplace_back();
  std::vector<State> taken{root};
  for (const std::string& name : except) {
    if (!is_plain_name(name)) continue;
    State state = root;
    for (const MarkupSymbol& symbol : markup_of_text(name)) state = table.add(state, symbol);
    taken.push_back(state);
  }
  std::vector<bool> is_taken(table.nodes.size());
  for (const State state : taken) is_taken[state] = true;
  table.leave(root, away);
  for (State state = away; state < is_taken.size(); ++state) {
    table.leave(state, away);
    if (!is_taken[state]) table.link(state, behind.front(), tail);
  }
  table.end(end, 0);
  add_space(table, end, max_space, 0, false);
  return std::make_shared<const MarkupLexeme>(std::move(table));
}

std::shared_ptr<const Lexeme> make_markup(Markup markup, std::uint32_t max_space) {
  const TaggedMarkup one{std::move(markup), 0};
  return make_markups(std::span(&one, 1), max_space);
}

}  // namespace parley::inference::grammar
