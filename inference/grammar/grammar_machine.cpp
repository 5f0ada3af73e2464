#include "inference/grammar/grammar_machine.h"

#include <algorithm>

namespace parley::inference::grammar {
namespace {

// What a step costs beside the automata's own work, in nanoseconds or so.
constexpr std::size_t kStepWork = 200;

}  // namespace

std::size_t GrammarMachine::Hash::operator()(const PlaceSet& set) const {
  std::uint64_t hash = set.may_end ? 0x9E3779B97F4A7C15 : 0;
  for (const Place& place : set.places) {
    hash = (hash ^ (std::uint64_t{place.lexeme} << 32 | place.state)) * 0xBF58476D1CE4E5B9;
    hash = (hash ^ (hash >> 29) ^ place.stack) * 0x94D049BB133111EB;
  }
  return static_cast<std::size_t>(hash ^ (hash >> 32));
}

GrammarMachine::GrammarMachine(std::shared_ptr<const Grammar> grammar)
    : grammar_(std::move(grammar)), expander_(*grammar_, stacks_) {
  expander_.begin();
  expander_.add_node(grammar_->root, kEmptyStack);
  start_ = intern(expander_.take());
}

GrammarMachine::State GrammarMachine::intern(const PlaceSet& set) {
  if (set.places.empty() && !set.may_end) return kDead;
  const auto [found, is_new] = states_.try_emplace(set, static_cast<State>(sets_.size()));
  if (is_new) {
    sets_.push_back(&found->first);
    rows_.emplace_back();
    num_places_ += set.places.size();
  }
  return found->second;
}

void GrammarMachine::make_row(State state) {
  auto row = std::make_unique<Row>();
  row->fill(kDead);
  bytes(state).for_each([&](std::uint8_t byte) { (*row)[byte] = kUnknown; });
  if (sets_[state]->places.size() == 1) fill_simple_row(Place(sets_[state]->places[0]), *row);
  rows_[state] = std::move(row);
  ++num_rows_;
}

// Steps that stay inside the only lexeme, all at once, since most of them lead to few states.
void GrammarMachine::fill_simple_row(const Place& place, Row& row) {
  ByteAutomaton& automaton = expander_.automaton(place.lexeme);
  if (automaton.is_costly() || work() > work_limit_) return;
  Place last = place;
  State known = kUnknown;
  for (int byte = 0; byte < 256; ++byte) {
    if (row[static_cast<std::size_t>(byte)] == kDead) continue;
    Place to = place;
    to.state = automaton.next(place.state, static_cast<std::uint8_t>(byte));
    if (to.state == ByteAutomaton::kDead || automaton.accepts(to.state)) continue;
    if (known == kUnknown || to != last) known = expander_.is_open(to) ? intern({{to}, false}) : kDead;
    last = to;
    row[static_cast<std::size_t>(byte)] = known;
  }
}

ByteSet GrammarMachine::bytes(State state) {
  ByteSet bytes;
  for (const Place& place : sets_[state]->places) {
    bytes |= expander_.automaton(place.lexeme).bytes(place.state);
  }
  return bytes;
}

GrammarMachine::State GrammarMachine::compute(State state, std::uint8_t byte) {
  if (work() > work_limit_) return kDead;
  own_work_ += kStepWork * sets_[state]->places.size();
  expander_.begin();
  for (const Place& place : sets_[state]->places) {
    Place to = place;
    to.state = expander_.automaton(place.lexeme).next(place.state, byte);
    if (to.state != ByteAutomaton::kDead && expander_.is_open(to)) expander_.add_place(to);
  }
  const State made = intern(expander_.take());
  (*rows_[state])[byte] = made;
  return made;
}

GrammarMachine::State GrammarMachine::next_token(State state, TokenId token) {
  expander_.begin();
  for (const Place& place : sets_[state]->places) {
    Place to = place;
    to.state = expander_.automaton(place.lexeme).next_token(place.state, token);
    if (to.state != ByteAutomaton::kDead) expander_.add_place(to);
  }
  return intern(expander_.take());
}

bool GrammarMachine::takes_tokens(State state) {
  const auto& places = sets_[state]->places;
  return std::any_of(places.begin(), places.end(), [&](const Place& place) {
    return expander_.automaton(place.lexeme).takes_tokens(place.state);
  });
}

std::vector<TokenId> GrammarMachine::named_tokens(State state) {
  std::vector<TokenId> tokens;
  for (const Place& place : sets_[state]->places) {
    const auto token = expander_.automaton(place.lexeme).named_token(place.state);
    if (token) tokens.push_back(*token);
  }
  return tokens;
}

std::uint32_t GrammarMachine::text_room(State state) {
  std::uint32_t room = 0;
  for (const Place& place : sets_[state]->places) {
    room = std::max(room, expander_.automaton(place.lexeme).text_room(place.state));
  }
  return room;
}

GrammarMachine::State GrammarMachine::roomy_twin(State state) {
  if (sets_[state]->places.size() != 1 || sets_[state]->may_end) return state;
  Place place = sets_[state]->places[0];
  place.state = expander_.automaton(place.lexeme).roomy_twin(place.state);
  return place == sets_[state]->places[0] ? state : intern({{place}, false});
}

std::size_t GrammarMachine::memory() const {
  constexpr std::size_t kStateBytes = 128;
  return num_rows_ * sizeof(Row) + sets_.size() * kStateBytes + num_places_ * sizeof(Place) +
         stacks_.memory() + expander_.memory();
}

std::shared_ptr<GrammarMachine> GrammarMachine::fresh(State state) {
  auto machine = std::make_shared<GrammarMachine>(grammar_);
  PlaceSet set;
  set.may_end = may_end(state);
  for (const Place& place : sets_[state]->places) {
    set.places.push_back(
        {place.lexeme,
         machine->expander_.automaton(place.lexeme).import(expander_.automaton(place.lexeme), place.state),
         machine->stacks_.import(stacks_, place.stack)});
  }
  std::sort(set.places.begin(), set.places.end());
  machine->start_ = machine->intern(set);
  return machine;
}

bool accepts(const std::shared_ptr<const Grammar>& grammar, std::string_view text) {
  GrammarMachine machine(grammar);
  GrammarMachine::State state = machine.start();
  for (const char byte : text) {
    state = machine.next(state, static_cast<std::uint8_t>(byte));
    if (state == GrammarMachine::kDead) return false;
  }
  return machine.may_end(state);
}

}  // namespace parley::inference::grammar
