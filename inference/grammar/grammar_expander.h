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

namespace parley::inference::grammar {

// A place in a text: inside a lexeme, with what comes behind it.
struct Place {
  LexemeId lexeme = 0;
  ByteAutomaton::State state = 0;
  StackId stack = kEmptyStack;
  friend auto operator<=>(const Place&, const Place&) = default;
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

  ByteAutomaton& automaton(LexemeId lexeme);

  // Collects a set: begin, add any number of places, finish. The set is valid until the next begin.
  void begin();
  void add_node(NodeId node, StackId stack);
  // `state` may accept, in which case what comes behind is added, too.
  void add_place(const Place& place);
  const PlaceSet& finish();

  // Whether a place leads to some key that is still allowed; true for what is no key.
  bool is_open(const Place& place);

  std::size_t work() const;
  std::size_t memory() const;

 private:
  const Grammar::Punctuation& marks_of(const Grammar::Object& object) const {
    return grammar_.punctuation[object.marks];
  }
  bool goes_on(ByteAutomaton& reader, ByteAutomaton::State state);
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
  void add_ordered_keys(const Grammar::Object& object, StackItem item);
  void add_value(const Grammar::Object& object, StackItem item, std::uint32_t key);
  void resume_dispatch(const StackItem& item, int tag);

  const Grammar& grammar_;
  StackPool& stacks_;
  std::vector<std::unique_ptr<ByteAutomaton>> automata_;  // by lexeme, made when needed
  std::vector<const ByteAutomaton*> costly_;              // those of them whose work and memory count
  PlaceSet set_;
  std::vector<std::pair<NodeId, StackId>> visited_;  // a choice may contain itself
  // What comes behind a lexeme, by the stack above which it ended and its tag: the same wherever it began.
  std::unordered_map<std::uint64_t, PlaceSet> behind_;
  std::size_t num_places_behind_ = 0;
};

}  // namespace parley::inference::grammar
