#pragma once
// Reads texts by a grammar, byte by byte. States and steps are made when they are first needed and
// remembered, so that most steps are one look-up. One thread; the grammar is kept alive. Never fails.
//
// Made deterministic this way a state is the set of all places in the grammar that the text may have come to.
// Its number of states has no bound, so whoever reads long looks at memory() and goes on with a fresh
// machine.

#include <cstddef>
#include <cstdint>
#include <limits>
#include <memory>
#include <unordered_map>
#include <vector>

#include "inference/grammar/grammar.h"
#include "inference/grammar/grammar_expander.h"

namespace parley::inference::grammar {

class GrammarMachine {
 public:
  using State = std::uint32_t;
  static constexpr State kDead = std::numeric_limits<State>::max();

  explicit GrammarMachine(std::shared_ptr<const Grammar> grammar);

  State start() const { return start_; }
  State next(State state, std::uint8_t byte) {
    if (rows_[state].first == kNoRow) make_row(state);
    const Row& row = rows_[state];
    if (!row.is_full && !row.bytes.contains(byte)) return kDead;
    const State known = steps_[row.index(byte)];
    return known != kUnknown ? known : compute(state, byte);
  }
  State next_token(State state, TokenId token);
  bool may_end(State state) const { return sets_[state]->may_end; }
  // All others lead to kDead.
  ByteSet bytes(State state);
  bool takes_tokens(State state);
  // Ordinary tokens that count as one symbol here, and go by next_token.
  std::vector<TokenId> named_tokens(State state);
  // How many characters of the class may follow, whatever they are, at least.
  std::uint32_t text_room(State state, TextClass text);
  // A state that differs only in that it has more room for safe text; `state` itself if there is none, or no
  // single place.
  State roomy_twin(State state);

  // What has been done so far: a unit is about a nanosecond.
  std::size_t work() const { return own_work_ + expander_.work(); }
  // Steps that are not known yet are refused (kDead, not remembered) once so much more work has been done.
  void set_work_limit(std::size_t more_work) {
    work_limit_ = work() + more_work;
    has_refused_ = false;
  }
  void clear_work_limit() { set_work_limit(std::numeric_limits<std::size_t>::max() - work()); }
  // Since the limit was set; then what seems dead need not be.
  bool has_refused() const { return has_refused_; }
  std::size_t memory() const;

  // A machine for the same grammar that knows nothing but a state, which it begins in.
  std::shared_ptr<GrammarMachine> fresh(State state);

 private:
  static constexpr State kUnknown = kDead - 1;
  static constexpr std::uint32_t kNoRow = std::numeric_limits<std::uint32_t>::max();
  // Where the steps of a state are: one for each of its bytes, or, where they are many, for all 256.
  struct Row {
    ByteSet bytes;
    std::uint32_t first = kNoRow;
    bool is_full = false;

    std::size_t index(std::uint8_t byte) const { return first + (is_full ? byte : bytes.rank(byte)); }
  };
  struct Hash {
    std::size_t operator()(const PlaceSet& set) const;
  };

  void make_row(State state);
  State compute(State state, std::uint8_t byte);
  State step(State state, std::uint8_t byte);
  template <typename Next>
  void advance(State state, Next next);
  State intern_single(const Place& place);
  void share_step(State state, std::uint8_t byte, State made);
  State intern(const PlaceSet& set);

  std::shared_ptr<const Grammar> grammar_;  // shared by all requests that use it
  StackPool stacks_;
  GrammarExpander expander_;
  std::unordered_map<PlaceSet, State, Hash> states_;
  std::vector<const PlaceSet*> sets_;  // keys of states_, which stay where they are
  std::vector<Row> rows_;
  std::vector<State> steps_;
  State start_ = 0;
  // The last state of a single place: most bytes of a string lead to the same.
  Place last_single_;
  State last_single_state_ = kDead;
  std::size_t num_places_ = 0;
  std::size_t own_work_ = 0;
  std::size_t work_limit_ = std::numeric_limits<std::size_t>::max();
  bool has_refused_ = false;
};

// Whether the whole text is in the grammar's language.
bool accepts(const std::shared_ptr<const Grammar>& grammar, std::string_view text);

}  // namespace parley::inference::grammar
