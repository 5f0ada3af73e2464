#include "inference/grammar/grammar_machine.h"

#include <algorithm>

namespace parley::inference::grammar {
namespace {

// What a step costs beside the automata's own work, in nanoseconds or so.
constexpr std::size_t kStepWork = 200;
// What it costs to ask a place for a token, which is nearly always refused.
constexpr std::size_t kTokenWork = 20;
// With more bytes than these a state has a step for each of the 256.
constexpr int kMaxListedBytes = 24;
// In more places at once it is not looked for bytes that do the same.
constexpr std::size_t kMaxSharingPlaces = 4;

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
  start_ = intern(expander_.finish());
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
  Row row;
  row.bytes = bytes(state);
  row.first = static_cast<std::uint32_t>(steps_.size());
  row.is_full = row.bytes.size() > kMaxListedBytes;
  steps_.resize(steps_.size() + (row.is_full ? 256 : static_cast<std::size_t>(row.bytes.size())), kDead);
  row.bytes.for_each([&](std::uint8_t byte) { steps_[row.index(byte)] = kUnknown; });
  rows_[state] = row;
}

ByteSet GrammarMachine::bytes(State state) {
  ByteSet bytes;
  for (const Place& place : sets_[state]->places) bytes |= expander_.bytes(place);
  return bytes;
}

GrammarMachine::State GrammarMachine::compute(State state, std::uint8_t byte) {
  if (work() > work_limit_) {
    has_refused_ = true;
    return kDead;
  }
  own_work_ += kStepWork * sets_[state]->places.size();
  const State made = step(state, byte);
  steps_[rows_[state].index(byte)] = made;
  const bool is_cheap = !rows_[state].is_full && sets_[state]->places.size() <= kMaxSharingPlaces;
  if (is_cheap) share_step(state, byte, made);
  return made;
}

// Adds where the places lead to; those of one lexeme and state, which stand together, lead to the same state.
template <typename Next>
void GrammarMachine::advance(State state, Next next) {
  Place last;
  ByteAutomaton::State to = ByteAutomaton::kDead;
  bool is_first = true;
  for (const Place& place : sets_[state]->places) {
    const bool is_known = !is_first && place.lexeme == last.lexeme && place.state == last.state;
    if (!is_known) to = next(place);
    is_first = false;
    last = place;
    if (to == ByteAutomaton::kDead) continue;
    const Place target{place.lexeme, to, place.stack};
    if (expander_.is_open(target)) expander_.add_place(target);
  }
}

GrammarMachine::State GrammarMachine::step(State state, std::uint8_t byte) {
  expander_.begin();
  if (const std::vector<Place>& places = sets_[state]->places; places.size() == 1) {
    Place to = places.front();
    to.state = expander_.next(to, byte);
    if (to.state == ByteAutomaton::kDead || !expander_.is_open(to)) return intern(expander_.finish());
    if (!expander_.automaton(to.lexeme).accepts(to.state)) return intern_single(to);
    expander_.add_place(to);
    return intern(expander_.finish());
  }
  advance(state, [&](const Place& place) { return expander_.next(place, byte); });
  return intern(expander_.finish());
}

GrammarMachine::State GrammarMachine::intern_single(const Place& place) {
  if (last_single_state_ == kDead || place != last_single_) {
    last_single_state_ = intern({{place}, false});
    last_single_ = place;
  }
  return last_single_state_;
}

// Other bytes with which every automaton does the same, as with those of white space.
void GrammarMachine::share_step(State state, std::uint8_t byte, State made) {
  const std::vector<Place>& places = sets_[state]->places;
  const bool is_costly = std::any_of(places.begin(), places.end(), [&](const Place& place) {
    return expander_.automaton(place.lexeme).is_costly();
  });
  if (is_costly) return;
  const Row row = rows_[state];
  row.bytes.for_each([&](std::uint8_t other) {
    State& step = steps_[row.index(other)];
    if (step != kUnknown) return;
    const bool is_same = std::all_of(places.begin(), places.end(), [&](const Place& place) {
      ByteAutomaton& automaton = expander_.automaton(place.lexeme);
      return automaton.next(place.state, other) == automaton.next(place.state, byte);
    });
    if (is_same) step = made;
  });
}

GrammarMachine::State GrammarMachine::next_token(State state, TokenId token) {
  own_work_ += kTokenWork * sets_[state]->places.size();
  expander_.begin();
  advance(state, [&](const Place& place) {
    return expander_.automaton(place.lexeme).next_token(place.state, token);
  });
  return intern(expander_.finish());
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

std::uint32_t GrammarMachine::text_room(State state, TextClass text) {
  std::uint32_t room = 0;
  for (const Place& place : sets_[state]->places) {
    if (work() > work_limit_) break;  // an estimate from below
    room = std::max(room, expander_.text_room(place, text));
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
  return steps_.size() * sizeof(State) + sets_.size() * (kStateBytes + sizeof(Row)) +
         num_places_ * sizeof(Place) + stacks_.memory() + expander_.memory();
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
