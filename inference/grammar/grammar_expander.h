#pragma once
// What may come next in a grammar: turns a node, or what a stack expects, into the lexemes that can begin
// there. One thread, borrows grammar and pool. Never fails.

#include <cstdint>
#include <memory>
#include <unordered_map>
#include <utility>
#include <vector>

#include "inference/grammar/grammar.h"
#include "inference/grammar/grammar_stack.h"
#include "inference/grammar/small_set.h"

namespace parley::inference::grammar {

// A place in a text: inside a lexeme, with what comes behind it.
struct Place {
  LexemeId lexeme = 0;
  ByteAutomaton::State state = 0;
  StackId stack = kEmptyStack;
  friend auto operator<=>(const Place&, const Place&) = default;
};

struct PlaceHash {
  std::size_t operator()(const Place& place) const;
};

// All places that a text may be in, ascending.
struct PlaceSet {
  std::vector<Place> places;
  bool may_end = false;
  friend bool operator==(const PlaceSet&, const PlaceSet&) = default;
};

class GrammarExpander {
 public:
  GrammarExpander(const Grammar& grammar, StackPool& stacks);

  // More places than so many in one set are left out: what such a grammar admits is then not all that it
  // says, but still nothing else, and every place leads to an end.
  static constexpr std::size_t kMaxPlaces = 2000;

  ByteAutomaton& automaton(LexemeId lexeme) {
    Reader& reader = readers_[lexeme];
    return reader.automaton ? *reader.automaton : make_automaton(lexeme);
  }
  // As the place's automaton says, with what it costs counted.
  ByteAutomaton::State next(const Place& place, std::uint8_t byte);
  ByteSet bytes(const Place& place);
  std::uint32_t text_room(const Place& place, TextClass text);

  // Collects a set: begin, add any number of places, finish. The set is valid until the next begin.
  void begin();
  void add_node(NodeId node, StackId stack);
  // `state` may accept, in which case what comes behind is added, too.
  void add_place(const Place& place);
  const PlaceSet& finish();

  // Whether a place leads to some key that is still allowed; true for what is no key.
  bool is_open(const Place& place);

  // In units of GrammarMachine.
  std::size_t work() const { return work_; }
  std::size_t memory() const;

 private:
  const Grammar::Punctuation& marks_of(const Grammar::Object& object) const {
    return grammar_.punctuation[object.marks];
  }
  ByteAutomaton& make_automaton(LexemeId lexeme);
  bool goes_on(ByteAutomaton& reader, ByteAutomaton::State state);
  bool is_full() const { return set_.places.size() >= kMaxPlaces || num_merged_ >= kMaxMerged; }
  void merge(const Place& place);
  const PlaceSet& behind(StackId stack, int tag);
  void expand_place(const Place& place);
  void resume(StackId stack, int tag);
  void add_terminal(LexemeId lexeme, StackId stack);
  void resume_sequence(StackItem item);
  void resume_array(StackItem item);
  void add_element(const Grammar::Array& array, StackItem item);
  void resume_object(StackItem item, int tag);
  static bool may_close(const Grammar::Object& object, const StackItem& item);
  static bool is_tight(const Grammar::Object& object, const StackItem& item);
  static std::uint64_t open_keys(const Grammar::Object& object, const StackItem& item);
  static bool has_more_keys(const Grammar::Object& object, const StackItem& item);
  void add_keys(const Grammar::Object& object, StackItem item);
  static bool is_key_open(const Grammar::Object& object, const StackItem& item, ByteAutomaton& reader,
                          ByteAutomaton::State state);
  void add_value(const Grammar::Object& object, StackItem item, std::uint32_t key);
  void resume_dispatch(const StackItem& item, int tag);

  const Grammar& grammar_;
  StackPool& stacks_;
  struct Reader {
    std::unique_ptr<ByteAutomaton> automaton;  // made when needed
    bool is_costly = false;
  };
  // Of one set: places may lead to the same ones over and over.
  static constexpr std::size_t kMaxMerged = 16 * kMaxPlaces;

  std::vector<Reader> readers_;               // by lexeme
  std::vector<const ByteAutomaton*> costly_;  // those of them whose memory counts
  PlaceSet set_;
  SmallSet<Place, PlaceHash> known_;   // of set_, while a node is expanded
  SmallSet<std::uint64_t> visited_;    // nodes and stacks: a choice may contain itself
  SmallSet<Place, PlaceHash> merged_;  // of set_, where places of several sets come together
  std::size_t num_merged_ = 0;
  std::size_t work_ = 0;
  // What comes behind a lexeme, by the stack above which it ended and its tag: the same wherever it began.
  std::unordered_map<std::uint64_t, PlaceSet> behind_;
  std::size_t num_places_behind_ = 0;
};

}  // namespace parley::inference::grammar
