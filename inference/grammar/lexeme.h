#pragma once
// What a grammar is made of: languages of byte strings. A Lexeme says which one and is immutable, any thread;
// a ByteAutomaton reads bytes one by one, may build its states as it goes, and belongs to one thread. No
// state is a dead end: from each one some bytes lead to an accepting one. Nothing here fails.

#include <cstddef>
#include <cstdint>
#include <limits>
#include <memory>
#include <optional>
#include <string_view>

#include "inference/grammar/byte_set.h"
#include "inference/grammar/text_class.h"
#include "inference/grammar/vocabulary_index.h"

namespace parley::inference::grammar {

class ByteAutomaton {
 public:
  using State = std::uint32_t;
  static constexpr State kDead = std::numeric_limits<State>::max();
  static constexpr std::uint32_t kEndless = std::numeric_limits<std::uint32_t>::max();
  static constexpr int kNoTag = -1;

  virtual ~ByteAutomaton() = default;

  virtual State start() = 0;
  // kDead: no string of the language goes on like that.
  virtual State next(State state, std::uint8_t byte) = 0;
  virtual bool accepts(State state) = 0;
  // Those that do not lead to kDead.
  virtual ByteSet bytes(State state) = 0;

  // How many characters of the class (bytes, of TextClass::unmarked) may follow, whatever they are. An
  // estimate from below.
  virtual std::uint32_t text_room(State /*state*/, TextClass /*text*/) { return 0; }
  // A state, often the same for many, in which the room for safe text is no smaller, and from which the same
  // strings of up to text_room(state, safe) characters go on. Where it is not `state` itself, that is exact.
  virtual State roomy_twin(State state) { return state; }
  // Which of several strings an accepting state has read, where the lexeme tells them apart.
  virtual int tag(State /*state*/) { return kNoTag; }
  // The tags, as bits, below 64, that can still be reached.
  virtual std::uint64_t open_tags(State /*state*/) { return ~std::uint64_t{0}; }
  // Whether one of the tags from `first` to `last` can, whatever their number.
  virtual bool reaches_tag(State /*state*/, int /*first*/, int /*last*/) { return true; }
  // Control tokens count as one symbol each; most lexemes take none.
  virtual bool takes_tokens(State /*state*/) { return false; }
  virtual State next_token(State /*state*/, TokenId /*token*/) { return kDead; }
  // An ordinary token that counts as one symbol here, whatever its bytes; it is taken by next_token.
  virtual std::optional<TokenId> named_token(State /*state*/) { return std::nullopt; }

  // Whether a step may make a new state.
  virtual bool is_costly() const { return false; }
  // What has been made as it was needed has cost so far: a measure of time, and bytes. Steps and bytes count
  // with costly ones only, room for text with all.
  virtual std::size_t work() const { return 0; }
  virtual std::size_t memory() const { return 0; }
  // The state here that means what `state` means in another automaton of the same lexeme.
  virtual State import(const ByteAutomaton& /*other*/, State state) { return state; }
};

class Lexeme {
 public:
  virtual ~Lexeme() = default;
  virtual std::unique_ptr<ByteAutomaton> make_automaton() const = 0;
  // Bytes of what a schema may make large, without what is shared with other lexemes.
  virtual std::size_t memory() const { return 0; }
};

// Whether the whole text is a string of the language.
bool matches(const Lexeme& lexeme, std::string_view text);

}  // namespace parley::inference::grammar
