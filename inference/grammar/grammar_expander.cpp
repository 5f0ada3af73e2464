#include "inference/grammar/grammar_expander.h"

#include <algorithm>
#include <bit>

namespace parley::inference::grammar {
namespace {

using Kind = StackItem::Kind;

constexpr std::uint32_t kKeyByTag = kNoLimit;
// What a place costs where it is added to a set, or looked at, in units of GrammarMachine.
constexpr std::size_t kPlaceWork = 50;

constexpr std::uint64_t key_bit(std::uint32_t key) { return std::uint64_t{1} << key; }

}  // namespace

std::size_t PlaceHash::operator()(const Place& place) const {
  std::uint64_t hash = (std::uint64_t{place.lexeme} << 32 | place.state) * 0xBF58476D1CE4E5B9;
  hash = (hash ^ (hash >> 29) ^ place.stack) * 0x94D049BB133111EB;
  return static_cast<std::size_t>(hash ^ (hash >> 32));
}

GrammarExpander::GrammarExpander(const Grammar& grammar, StackPool& stacks)
    : grammar_(grammar), stacks_(stacks), readers_(grammar.lexemes.size()) {}

ByteAutomaton& GrammarExpander::make_automaton(LexemeId lexeme) {
  Reader& reader = readers_[lexeme];
  reader.automaton = grammar_.lexemes[lexeme]->make_automaton();
  reader.is_costly = reader.automaton->is_costly();
  if (reader.is_costly) costly_.push_back(reader.automaton.get());
  work_ += reader.automaton->work();
  return *reader.automaton;
}

ByteAutomaton::State GrammarExpander::next(const Place& place, std::uint8_t byte) {
  ByteAutomaton& reader = automaton(place.lexeme);
  if (!readers_[place.lexeme].is_costly) return reader.next(place.state, byte);
  const std::size_t before = reader.work();
  const ByteAutomaton::State to = reader.next(place.state, byte);
  work_ += reader.work() - before;
  return to;
}

ByteSet GrammarExpander::bytes(const Place& place) {
  ByteAutomaton& reader = automaton(place.lexeme);
  if (!readers_[place.lexeme].is_costly) return reader.bytes(place.state);
  const std::size_t before = reader.work();
  const ByteSet bytes = reader.bytes(place.state);
  work_ += reader.work() - before;
  return bytes;
}

std::uint32_t GrammarExpander::text_room(const Place& place, TextClass text) {
  ByteAutomaton& reader = automaton(place.lexeme);
  const std::size_t before = reader.work();
  const std::uint32_t room = reader.text_room(place.state, text);
  work_ += reader.work() - before + kPlaceWork;
  return room;
}

void GrammarExpander::begin() {
  set_.places.clear();
  set_.may_end = false;
  known_.clear();
  visited_.clear();
  merged_.clear();
  num_merged_ = 0;
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
  if (is_full()) return;
  ByteAutomaton& reader = automaton(place.lexeme);
  if (!reader.accepts(place.state)) return merge(place);
  if (goes_on(reader, place.state)) merge(place);
  const PlaceSet& more = behind(place.stack, reader.tag(place.state));
  for (const Place& each : more.places) merge(each);
  set_.may_end = set_.may_end || more.may_end;
}

void GrammarExpander::merge(const Place& place) {
  if (is_full()) return;
  ++num_merged_;
  work_ += kPlaceWork;
  if (merged_.insert(place)) set_.places.push_back(place);
}

const PlaceSet& GrammarExpander::behind(StackId stack, int tag) {
  const std::uint64_t key = std::uint64_t{stack} << 32 | static_cast<std::uint32_t>(tag);
  const auto known = behind_.find(key);
  if (known != behind_.end()) return known->second;
  PlaceSet outer;
  std::swap(outer, set_);
  known_.clear();
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
  if (set_.places.size() >= kMaxPlaces || known_.contains(place)) return;
  work_ += kPlaceWork;
  ByteAutomaton& reader = automaton(place.lexeme);
  const bool accepts = reader.accepts(place.state);
  if (!accepts || goes_on(reader, place.state)) {
    known_.insert(place);
    set_.places.push_back(place);
  }
  if (accepts) resume(place.stack, reader.tag(place.state));
}

void GrammarExpander::add_node(NodeId node, StackId stack) {
  if (set_.places.size() >= kMaxPlaces) return;
  work_ += kPlaceWork;
  const auto& [kind, index] = grammar_.nodes[node];
  switch (kind) {
    case Grammar::Kind::terminal:
      return add_terminal(index, stack);
    case Grammar::Kind::sequence:
      return resume_sequence({.kind = Kind::sequence, .node = node, .rest = stack});
    case Grammar::Kind::choice:
      if (!visited_.insert(std::uint64_t{node} << 32 | stack)) return;
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
  return object.required_keys.empty() || object.required_keys.back() < item.seen;
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
  const bool takes_others = !is_tight(object, item);
  const std::uint64_t open = object.is_ordered ? 0 : open_keys(object, item);
  if (object.is_ordered ? item.seen < object.keys.size() : open != 0) {
    StackItem declared = item;
    if (!object.is_ordered) declared.seen = ~open;
    declared.key = kKeyByTag;
    add_terminal(object.key_lexeme, stacks_.push(declared));
  }
  for (std::size_t i = 0; takes_others && i < object.others.size(); ++i) {
    item.key = static_cast<std::uint32_t>(object.keys.size() + i);
    add_terminal(object.others[i].lexeme, stacks_.push(item));
  }
}

// Of ordered keys the next one, or one behind it, as long as no required one is left out.
bool GrammarExpander::is_key_open(const Grammar::Object& object, const StackItem& item, ByteAutomaton& reader,
                                  ByteAutomaton::State state) {
  if (!object.is_ordered) return (reader.open_tags(state) & ~item.seen) != 0;
  const std::vector<std::uint32_t>& required = object.required_keys;
  const auto next = std::lower_bound(required.begin(), required.end(), item.seen);
  const std::size_t last = next != required.end() ? *next : object.keys.size() - 1;
  return reader.reaches_tag(state, static_cast<int>(item.seen), static_cast<int>(last));
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
  if (item.key != kKeyByTag) return true;
  const Grammar::Object& object = grammar_.objects[grammar_.nodes[item.node].index];
  return is_key_open(object, item, automaton(place.lexeme), place.state);
}

std::size_t GrammarExpander::memory() const {
  std::size_t memory = 0;
  for (const ByteAutomaton* reader : costly_) memory += reader->memory();
  constexpr std::size_t kSetBytes = 96;
  return memory + behind_.size() * kSetBytes + num_places_behind_ * sizeof(Place);
}

}  // namespace parley::inference::grammar
