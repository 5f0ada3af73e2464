#include "inference/grammar/grammar_builder.h"

#include <algorithm>
#include <utility>

#include "inference/grammar/completable_nodes.h"
#include "inference/grammar/grammar_alternatives.h"
#include "inference/grammar/string_lexeme.h"
#include "inference/grammar/table_lexeme.h"

namespace parley::inference::grammar {
namespace {

// A run of at most `max` characters, then whatever follows from the last node.
DfaTable::State add_white_space(DfaTable& table, DfaTable::State from, std::uint32_t max, char behind) {
  std::vector<DfaTable::State> run{from};
  for (std::uint32_t i = 0; i < max; ++i) {
    const auto made = static_cast<DfaTable::State>(table.nodes.size());
    table.nodes.emplace_back();
    auto& edges = table.nodes[run.back()].edges;
    edges.push_back({'\t', '\n', made});
    edges.push_back({'\r', '\r', made});
    edges.push_back({' ', ' ', made});
    run.push_back(made);
  }
  if (behind == 0) {
    for (const DfaTable::State state : run) table.nodes[state].accepts = true;
    return from;
  }
  const auto end = static_cast<DfaTable::State>(table.nodes.size());
  table.nodes.emplace_back();
  const auto byte = static_cast<std::uint8_t>(behind);
  for (const DfaTable::State state : run) table.nodes[state].edges.push_back({byte, byte, end});
  return end;
}

bool has_white_space(Around around, Around side) { return around == side || around == Around::both; }

}  // namespace

std::shared_ptr<const Lexeme> make_punctuation(const std::string& text, Around white_space,
                                               std::uint32_t max) {
  DfaTable table;
  DfaTable::State state = 0;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const bool spaced = i == 0 && has_white_space(white_space, Around::before);
    state = add_white_space(table, state, spaced ? max : 0, text[i]);
  }
  add_white_space(table, state, has_white_space(white_space, Around::behind) ? max : 0, 0);
  return std::make_shared<const TableLexeme>(std::move(table));
}

namespace {

struct Mark {
  const char* text;
  Around around;
  LexemeId Grammar::Punctuation::*place;
};

constexpr Mark kMarks[] = {{"[", Around::behind, &Grammar::Punctuation::open_array},
                           {"]", Around::before, &Grammar::Punctuation::close_array},
                           {"]", Around::nothing, &Grammar::Punctuation::close_empty_array},
                           {"{", Around::behind, &Grammar::Punctuation::open_object},
                           {"}", Around::before, &Grammar::Punctuation::close_object},
                           {"}", Around::nothing, &Grammar::Punctuation::close_empty_object},
                           {",", Around::both, &Grammar::Punctuation::comma},
                           {":", Around::both, &Grammar::Punctuation::colon}};

using Marks = std::vector<std::shared_ptr<const Lexeme>>;  // as kMarks; shared by all grammars

Marks make_marks(std::uint32_t max_white_space) {
  Marks marks;
  for (const Mark& mark : kMarks) marks.push_back(make_punctuation(mark.text, mark.around, max_white_space));
  return marks;
}

Marks find_marks(std::uint32_t max_white_space) {
  static const Marks kUsual = make_marks(kUsualWhiteSpace);
  return max_white_space == kUsualWhiteSpace ? kUsual : make_marks(max_white_space);
}

}  // namespace

GrammarBuilder::GrammarBuilder(std::uint32_t max_white_space) : max_white_space_(max_white_space) {
  add_choice({});  // kNever
  const Marks marks = find_marks(max_white_space);
  for (std::size_t i = 0; i < marks.size(); ++i)
    grammar_.punctuation[0].*kMarks[i].place = add_lexeme(marks[i]);
}

LexemeId GrammarBuilder::add_lexeme(std::shared_ptr<const Lexeme> lexeme) {
  const auto [found, is_new] =
      lexeme_ids_.try_emplace(lexeme.get(), static_cast<LexemeId>(grammar_.lexemes.size()));
  if (is_new) grammar_.lexemes.push_back(std::move(lexeme));
  return found->second;
}

NodeId GrammarBuilder::add(Grammar::Kind kind, std::size_t index) {
  grammar_.nodes.push_back({kind, static_cast<std::uint32_t>(index)});
  return static_cast<NodeId>(grammar_.nodes.size() - 1);
}

std::uint32_t GrammarBuilder::add_marks(const ObjectMarks& marks) {
  Grammar::Punctuation punctuation = grammar_.punctuation[0];
  punctuation.open_object = add_lexeme(marks.open);
  punctuation.close_object = add_lexeme(marks.close);
  punctuation.close_empty_object = add_lexeme(marks.close_empty);
  punctuation.comma = add_lexeme(marks.comma);
  punctuation.colon = add_lexeme(marks.colon);
  grammar_.punctuation.push_back(punctuation);
  return static_cast<std::uint32_t>(grammar_.punctuation.size() - 1);
}

NodeId GrammarBuilder::add_terminal(std::shared_ptr<const Lexeme> lexeme) {
  return add(Grammar::Kind::terminal, add_lexeme(std::move(lexeme)));
}

NodeId GrammarBuilder::add_sequence(std::vector<NodeId> nodes) {
  grammar_.sequences.push_back(std::move(nodes));
  return add(Grammar::Kind::sequence, grammar_.sequences.size() - 1);
}

NodeId GrammarBuilder::add_choice(std::vector<NodeId> nodes) {
  if (nodes.size() == 1) return nodes[0];
  grammar_.choices.push_back(std::move(nodes));
  return add(Grammar::Kind::choice, grammar_.choices.size() - 1);
}

NodeId GrammarBuilder::add_array(Grammar::Array array) {
  grammar_.arrays.push_back(std::move(array));
  return add(Grammar::Kind::array, grammar_.arrays.size() - 1);
}

NodeId GrammarBuilder::add_object(Grammar::Object object) {
  grammar_.objects.push_back(std::move(object));
  return add(Grammar::Kind::object, grammar_.objects.size() - 1);
}

NodeId GrammarBuilder::add_dispatch(std::shared_ptr<const Lexeme> lexeme,
                                    std::vector<Grammar::Dispatch::Branch> branches) {
  grammar_.dispatches.push_back({add_lexeme(std::move(lexeme)), std::move(branches)});
  return add(Grammar::Kind::dispatch, grammar_.dispatches.size() - 1);
}

NodeId GrammarBuilder::reserve() {
  grammar_.choices.emplace_back();
  return add(Grammar::Kind::choice, grammar_.choices.size() - 1);
}

void GrammarBuilder::fill(NodeId reserved, std::vector<NodeId> nodes) {
  grammar_.choices[grammar_.nodes[reserved].index] = std::move(nodes);
}

std::shared_ptr<const Grammar> GrammarBuilder::finish(NodeId root) {
  completable_ = find_completable(grammar_);
  if (!can_complete(root) || has_stuck_branch()) return nullptr;
  prune();
  grammar_.root = root;
  return std::make_shared<const Grammar>(std::move(grammar_));
}

bool GrammarBuilder::has_more_alternatives(NodeId first_node, std::size_t max) const {
  return grammar::has_more_alternatives(grammar_, first_node, max);
}

bool GrammarBuilder::has_stuck_branch() const {
  return std::any_of(
      grammar_.dispatches.begin(), grammar_.dispatches.end(), [&](const Grammar::Dispatch& dispatch) {
        return std::any_of(
            dispatch.branches.begin(), dispatch.branches.end(),
            [&](const Grammar::Dispatch::Branch& branch) { return !can_complete(branch.node); });
      });
}

void GrammarBuilder::prune() {
  for (auto& choice : grammar_.choices) {
    std::erase_if(choice, [&](NodeId node) { return !can_complete(node); });
  }
  for (Grammar::Array& array : grammar_.arrays) prune_array(array);
  for (Grammar::Object& object : grammar_.objects) prune_object(object);
}

void GrammarBuilder::prune_array(Grammar::Array& array) const {
  const auto stuck = std::find_if(array.prefix.begin(), array.prefix.end(),
                                  [&](NodeId node) { return !can_complete(node); });
  const bool ends = stuck != array.prefix.end() || !can_complete(array.items);
  array.prefix.erase(stuck, array.prefix.end());
  if (ends) array.max = std::min(array.max, static_cast<std::uint32_t>(array.prefix.size()));
}

void GrammarBuilder::prune_object(Grammar::Object& object) {
  std::vector<std::string> declared;  // those that cannot be had are no other keys either
  for (const Grammar::Key& key : object.keys) declared.push_back(key.quoted);
  std::erase_if(object.keys, [&](const Grammar::Key& key) { return !can_complete(key.value); });
  std::erase_if(object.others, [&](const Grammar::OtherKeys& others) { return !can_complete(others.value); });
  const bool needs_others = std::any_of(object.others.begin(), object.others.end(),
                                        [](const Grammar::OtherKeys& others) { return !others.keys; });
  const bool needs_literals = needs_others || (!object.key_maker && !object.keys.empty());
  std::shared_ptr<const TableLexeme> literals;
  if (needs_literals && !declared.empty()) literals = make_literals(declared);
  for (Grammar::OtherKeys& others : object.others) {
    if (!others.keys) others.keys = make_string_except(literals);
    others.lexeme = add_lexeme(others.keys);
  }
  object.is_ordered = object.keys.size() > kMaxUnorderedKeys;
  std::vector<std::string> quoted;
  for (std::size_t i = 0; i < object.keys.size(); ++i) {
    const Grammar::Key& key = object.keys[i];
    quoted.push_back(key.quoted);
    if (object.is_ordered && key.is_required) object.required_keys.push_back(static_cast<std::uint32_t>(i));
    if (!object.is_ordered && key.is_required) object.required |= std::uint64_t{1} << i;
  }
  if (!quoted.empty()) {
    const bool are_all = !object.key_maker && quoted.size() == declared.size();
    object.key_lexeme = add_lexeme(are_all ? literals : make_keys(object, quoted));
  }
  object.key_maker = nullptr;  // what it refers to need not live on
}

std::shared_ptr<const Lexeme> GrammarBuilder::make_keys(const Grammar::Object& object,
                                                        std::span<const std::string> keys) {
  if (object.key_maker) return object.key_maker(keys);
  return make_literals(keys);
}

}  // namespace parley::inference::grammar
