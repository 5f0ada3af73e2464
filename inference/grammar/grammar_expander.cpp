#include "inference/grammar/grammar_expander.h"

#include <algorithm>
#include <bit>

namespace parley::inference::grammar {
namespace {

using Kind = StackItem::Kind;

constexpr std::uint32_t kKeyByTag = kNoLimit;

constexpr std::uint64_t key_bit(std::uint32_t key) { return std::uint64_t{1} << key; }

}  // namespace

GrammarExpander::GrammarExpander(const Grammar& grammar, StackPool& stacks)
    : grammar_(grammar), stacks_(stacks), automata_(grammar.lexemes.size()) {}

ByteAutomaton& GrammarExpander::automaton(LexemeId lexeme) {
  auto& reader = automata_[lexeme];
  if (!reader) {
    reader = grammar_.lexemes[lexeme]->make_automaton();
    if (reader->is_costly()) costly_.push_back(reader.get());
  }
  return *reader;
}

void GrammarExpander::begin() {
  set_.places.clear();
  set_.may_end = false;
  visited_.clear();
}

const PlaceSet& GrammarExpander::finish() {
  std::sort(set_.places.begin(), set_.places.end());
  set_.places.erase(std::unique(set_.places.begin(), set_.places.end()), set_.places.end());
  return set_;
}

void GrammarExpander::add_terminal(LexemeId lexeme, StackId stack) {
  expand_place({lexeme, automaton(lexeme).start(), stack});
}

bool GrammarExpander::goes_on(ByteAutomaton& reader, ByteAutomaton::State state) {
  return reader.bytes(state).size() != 0 || reader.takes_tokens(state);
}

void GrammarExpander::add_place(const Place& place) {
  ByteAutomaton& reader = automaton(place.lexeme);
  if (!reader.accepts(place.state)) return set_.places.push_back(place);
  if (goes_on(reader, place.state)) set_.places.push_back(place);
  const PlaceSet& more = behind(place.stack, reader.tag(place.state));
  set_.places.insert(set_.places.end(), more.places.begin(), more.places.end());
  set_.may_end = set_.may_end || more.may_end;
}

const PlaceSet& GrammarExpander::behind(StackId stack, int tag) {
  const std::uint64_t key = std::uint64_t{stack} << 32 | static_cast<std::uint32_t>(tag);
  const auto known = behind_.find(key);
  if (known != behind_.end()) return known->second;
  PlaceSet outer;
  std::swap(outer, set_);
  visited_.clear();
  resume(stack, tag);
  PlaceSet& made = behind_[key];
  made = finish();
  num_places_behind_ += made.places.size();
  std::swap(outer, set_);
  return made;
}

// As add_place, but nothing is remembered, and what is in the set already is not gone through again: lexemes
// may accept where they begin.
void GrammarExpander::expand_place(const Place& place) {
  ByteAutomaton& reader = automaton(place.lexeme);
  if (std::find(set_.places.begin(), set_.places.end(), place) != set_.places.end()) return;
  if (!reader.accepts(place.state)) return set_.places.push_back(place);
  if (goes_on(reader, place.state)) set_.places.push_back(place);
  resume(place.stack, reader.tag(place.state));
}

void GrammarExpander::add_node(NodeId node, StackId stack) {
  const std::pair visit(node, stack);
  if (std::find(visited_.begin(), visited_.end(), visit) != visited_.end()) return;
  const auto& [kind, index] = grammar_.nodes[node];
  switch (kind) {
    case Grammar::Kind::terminal:
      return add_terminal(index, stack);
    case Grammar::Kind::sequence:
      return resume_sequence({.kind = Kind::sequence, .node = node, .rest = stack});
    case Grammar::Kind::choice:
      visited_.push_back(visit);
      for (const NodeId branch : grammar_.choices[index]) add_node(branch, stack);
      return;
    case Grammar::Kind::array:
      if (stacks_.depth(stack) >= grammar_.arrays[index].max_depth) return;
      return add_terminal(grammar_.punctuation[0].open_array,
                          stacks_.push({.kind = Kind::array_first, .node = node, .rest = stack}));
    case Grammar::Kind::object:
      if (stacks_.depth(stack) >= grammar_.objects[index].max_depth) return;
      return add_terminal(marks_of(grammar_.objects[index]).open_object,
                          stacks_.push({.kind = Kind::object_first, .node = node, .rest = stack}));
    case Grammar::Kind::dispatch:
      return add_terminal(grammar_.dispatches[index].lexeme,
                          stacks_.push({.kind = Kind::dispatch, .node = node, .rest = stack}));
  }
}

void GrammarExpander::resume(StackId stack, int tag) {
  if (stack == kEmptyStack) {
    set_.may_end = true;
    return;
  }
  const StackItem item = stacks_.top(stack);
  switch (item.kind) {
    case Kind::sequence:
      return resume_sequence(item);
    case Kind::node:
      return add_node(item.node, item.rest);
    case Kind::array_first:
    case Kind::array_after:
    case Kind::array_next:
      return resume_array(item);
    case Kind::object_first:
    case Kind::object_key:
    case Kind::object_after:
    case Kind::object_next:
      return resume_object(item, tag);
    case Kind::dispatch:
      return resume_dispatch(item, tag);
  }
}

void GrammarExpander::resume_sequence(StackItem item) {
  const auto& members = grammar_.sequences[grammar_.nodes[item.node].index];
  if (item.count == members.size()) return resume(item.rest, ByteAutomaton::kNoTag);
  const NodeId member = members[item.count++];
  const bool is_last = item.count == members.size();
  add_node(member, is_last ? item.rest : stacks_.push(item));
}

void GrammarExpander::resume_array(StackItem item) {
  const Grammar::Array& array = grammar_.arrays[grammar_.nodes[item.node].index];
  const Grammar::Punctuation& marks = grammar_.punctuation[0];
  if (item.kind == Kind::array_next) return add_element(array, item);
  if (item.kind == Kind::array_first) {
    if (array.min == 0) add_terminal(marks.close_empty_array, item.rest);
    if (array.max > 0) add_element(array, item);
    return;
  }
  if (item.count >= array.min) add_terminal(marks.close_array, item.rest);
  if (item.count >= array.max) return;
  item.kind = Kind::array_next;
  add_terminal(marks.comma, stacks_.push(item));
}

void GrammarExpander::add_element(const Grammar::Array& array, StackItem item) {
  const NodeId element = item.count < array.prefix.size() ? array.prefix[item.count] : array.items;
  // Counted no further than matters, so that states come again.
  const auto enough = std::max(array.min, static_cast<std::uint32_t>(array.prefix.size()));
  if (array.max != kNoLimit || item.count < enough) ++item.count;
  item.kind = Kind::array_after;
  add_node(element, stacks_.push(item));
}

void GrammarExpander::resume_object(StackItem item, int tag) {
  const Grammar::Object& object = grammar_.objects[grammar_.nodes[item.node].index];
  const Grammar::Punctuation& marks = marks_of(object);
  switch (item.kind) {
    case Kind::object_key:
      return add_value(object, item, item.key == kKeyByTag ? static_cast<std::uint32_t>(tag) : item.key);
    case Kind::object_next:
      return add_keys(object, item);
    case Kind::object_first:
      if (may_close(object, item)) add_terminal(marks.close_empty_object, item.rest);
      return add_keys(object, item);
    default:
      break;
  }
  if (may_close(object, item)) add_terminal(marks.close_object, item.rest);
  if (!has_more_keys(object, item)) return;
  item.kind = Kind::object_next;
  add_terminal(marks.comma, stacks_.push(item));
}

bool GrammarExpander::may_close(const Grammar::Object& object, const StackItem& item) {
  if (!object.is_ordered) return item.count >= object.min && (object.required & ~item.seen) == 0;
  return std::none_of(object.keys.begin() + static_cast<std::ptrdiff_t>(item.seen), object.keys.end(),
                      [](const Grammar::Key& key) { return key.is_required; });
}

// All members that are left to the limit are needed for required keys.
bool GrammarExpander::is_tight(const Grammar::Object& object, const StackItem& item) {
  if (object.is_ordered || object.max == kNoLimit) return false;
  return object.max - item.count <= static_cast<std::uint32_t>(std::popcount(object.required & ~item.seen));
}

std::uint64_t GrammarExpander::open_keys(const Grammar::Object& object, const StackItem& item) {
  const std::uint64_t all = object.keys.size() >= 64 ? ~std::uint64_t{0} : key_bit(object.keys.size()) - 1;
  return (is_tight(object, item) ? object.required : all) & ~item.seen;
}

bool GrammarExpander::has_more_keys(const Grammar::Object& object, const StackItem& item) {
  if (object.is_ordered) return item.seen < object.keys.size() || !object.others.empty();
  return open_keys(object, item) != 0 || (!object.others.empty() && !is_tight(object, item));
}

void GrammarExpander::add_keys(const Grammar::Object& object, StackItem item) {
  item.kind = Kind::object_key;
  const std::uint64_t open = open_keys(object, item);
  const bool takes_others = !is_tight(object, item);
  if (object.is_ordered) {
    add_ordered_keys(object, item);
  } else if (open != 0) {
    StackItem declared = item;
    declared.seen = ~open;
    declared.key = kKeyByTag;
    add_terminal(object.key_lexeme, stacks_.push(declared));
  }
  for (std::size_t i = 0; takes_others && i < object.others.size(); ++i) {
    item.key = static_cast<std::uint32_t>(object.keys.size() + i);
    add_terminal(object.others[i].lexeme, stacks_.push(item));
  }
}

// The next key, or one behind it, as long as no required one is left out.
void GrammarExpander::add_ordered_keys(const Grammar::Object& object, StackItem item) {
  for (auto i = static_cast<std::uint32_t>(item.seen); i < object.keys.size(); ++i) {
    item.key = i;
    add_terminal(object.keys[i].lexeme, stacks_.push(item));
    if (object.keys[i].is_required) return;
  }
}

void GrammarExpander::add_value(const Grammar::Object& object, StackItem item, std::uint32_t key) {
  const bool is_declared = key < object.keys.size();
  const NodeId value = is_declared ? object.keys[key].value : object.others[key - object.keys.size()].value;
  if (is_declared) item.seen = object.is_ordered ? key + 1 : item.seen | key_bit(key);
  if (object.max != kNoLimit || item.count < object.min) ++item.count;
  item.kind = Kind::object_after;
  item.key = 0;
  const StackId after = stacks_.push(item);
  add_terminal(marks_of(object).colon, stacks_.push({.kind = Kind::node, .node = value, .rest = after}));
}

void GrammarExpander::resume_dispatch(const StackItem& item, int tag) {
  const Grammar::Dispatch& dispatch = grammar_.dispatches[grammar_.nodes[item.node].index];
  if (tag == ByteAutomaton::kNoTag) return resume(item.rest, tag);
  const auto& [node, then] = dispatch.branches[static_cast<std::size_t>(tag)];
  if (then == Grammar::Dispatch::Then::over) return add_node(node, item.rest);
  add_node(node, stacks_.push({.kind = Kind::node, .node = item.node, .rest = item.rest}));
}

bool GrammarExpander::is_open(const Place& place) {
  if (place.stack == kEmptyStack) return true;
  const StackItem& item = stacks_.top(place.stack);
  if (item.kind != Kind::object_key) return true;
  return item.key != kKeyByTag || (automaton(place.lexeme).open_tags(place.state) & ~item.seen) != 0;
}

std::size_t GrammarExpander::work() const {
  std::size_t work = 0;
  for (const ByteAutomaton* reader : costly_) work += reader->work();
  return work;
}

std::size_t GrammarExpander::memory() const {
  std::size_t memory = 0;
  for (const ByteAutomaton* reader : costly_) memory += reader->memory();
  constexpr std::size_t kSetBytes = 96;
  return memory + behind_.size() * kSetBytes + num_places_behind_ * sizeof(Place);
}

}  // namespace parley::inference::grammar
