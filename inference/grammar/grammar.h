#pragma once
// A language of texts with nesting: a graph of nodes over lexemes. Immutable once built (GrammarBuilder), any
// thread. GrammarMachine reads texts by it.
//
// JSON's objects and arrays are nodes of their own kind, so that members may come in any order without a rule
// for each order.

#include <cstdint>
#include <functional>
#include <limits>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "inference/grammar/lexeme.h"

namespace parley::inference::grammar {

using NodeId = std::uint32_t;
using LexemeId = std::uint32_t;
// Runs of white space between the parts of JSON: enough for the indentation that models are used to.
inline constexpr std::uint32_t kUsualWhiteSpace = 16;
inline constexpr std::uint32_t kNoLimit = std::numeric_limits<std::uint32_t>::max();
// More than so many keys of an object come in the order in which they are declared.
inline constexpr std::size_t kMaxUnorderedKeys = 64;

struct Grammar {
  enum class Kind : std::uint8_t { terminal, sequence, choice, array, object, dispatch };
  struct Node {
    Kind kind = Kind::choice;
    std::uint32_t index = 0;  // among those of its kind; of a terminal its lexeme
  };

  struct Array {
    std::vector<NodeId> prefix;  // of the first elements
    NodeId items = 0;            // of further ones
    std::uint32_t min = 0;
    std::uint32_t max = kNoLimit;
    std::uint32_t max_depth = kNoLimit;  // not inside so many arrays and objects
  };

  struct Key {
    std::string quoted;  // as JSON text, or what key_maker takes
    NodeId value = 0;
    bool is_required = false;
  };
  struct OtherKeys {
    std::shared_ptr<const Lexeme> keys;
    NodeId value = 0;
    LexemeId lexeme = 0;
  };
  // Makes a lexeme of keys that are no JSON strings; the tag tells which.
  using KeyMaker = std::function<std::shared_ptr<const Lexeme>(std::span<const std::string>)>;
  struct Object {
    std::uint32_t marks = 0;  // number of its punctuation
    KeyMaker key_maker;       // none: keys are what `quoted` says
    std::vector<Key> keys;
    std::vector<OtherKeys> others;
    std::uint32_t min = 0;  // members
    std::uint32_t max = kNoLimit;
    std::uint32_t max_depth = kNoLimit;
    // Up to 64 keys come in any order, more of them only in the order in which they are declared.
    bool is_ordered = false;
    LexemeId key_lexeme = 0;                   // of all keys, the tag tells which
    std::uint64_t required = 0;                // bits of keys
    std::vector<std::uint32_t> required_keys;  // ascending; of ordered keys, instead of the bits
  };

  // A lexeme whose tag is the number of the branch that follows; without a tag this is the end. Free text
  // with markers in it, or one of several names.
  struct Dispatch {
    enum class Then : std::uint8_t { free_text, over };  // the lexeme again, or what is behind
    struct Branch {
      NodeId node = 0;
      Then then = Then::free_text;
    };
    LexemeId lexeme = 0;
    std::vector<Branch> branches;
  };

  struct Punctuation {
    LexemeId open_array = 0;
    LexemeId close_array = 0;        // with white space before it
    LexemeId close_empty_array = 0;  // without
    LexemeId open_object = 0;
    LexemeId close_object = 0;
    LexemeId close_empty_object = 0;
    LexemeId comma = 0;
    LexemeId colon = 0;
  };

  std::vector<Node> nodes;
  std::vector<std::vector<NodeId>> sequences;
  std::vector<std::vector<NodeId>> choices;
  std::vector<Array> arrays;
  std::vector<Object> objects;
  std::vector<Dispatch> dispatches;
  std::vector<std::shared_ptr<const Lexeme>> lexemes;
  std::vector<Punctuation> punctuation{1};  // of JSON first
  NodeId root = 0;
};

}  // namespace parley::inference::grammar
