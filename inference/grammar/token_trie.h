#pragma once
// Byte strings of tokens as one flat trie in depth-first order, 8 bytes a node: a walk that turns away from a
// node jumps over all that is below it. Immutable after construction, any thread, never fails.

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "inference/grammar/text_class.h"

namespace parley::inference::grammar {

struct TokenBytes {
  std::string_view bytes;
  std::int32_t token = 0;
};

class TokenTrie {
 public:
  // Longer tokens are not in the trie.
  static constexpr std::size_t kMaxDepth = 255;
  static constexpr std::uint32_t kNoToken = 0xFFFFFF;

  class Node {
   public:
    Node(std::uint8_t byte, std::uint8_t depth) : byte_(byte), depth_(depth) {}
    std::uint8_t byte() const { return byte_; }
    std::uint8_t depth() const { return depth_; }           // 1 for the first byte of a token
    std::uint32_t token() const { return token_; }          // that ends here, or kNoToken
    std::uint32_t num_nodes() const { return num_nodes_; }  // of its subtree, itself included

   private:
    friend class TokenTrie;
    std::uint32_t byte_ : 8;
    std::uint32_t token_ : 24 = kNoToken;
    std::uint32_t depth_ : 8;
    std::uint32_t num_nodes_ : 24 = 1;
  };

  // `tokens` sorted by their bytes. Borrows nothing.
  explicit TokenTrie(std::span<const TokenBytes> tokens);

  std::span<const Node> nodes() const { return nodes_; }

  // Whether some token has these bytes as its beginning and more behind.
  bool has_longer(std::string_view bytes) const;

  struct Twin {
    std::int32_t token = 0;  // in the trie
    std::int32_t other = 0;  // not in the trie, for it has the same bytes
  };
  std::span<const Twin> twins() const { return twins_; }

 private:
  std::vector<Node> nodes_;
  std::vector<Twin> twins_;
};

static_assert(sizeof(TokenTrie::Node) == 8);

// What all tokens below each node of a trie, its own included, have in common. Immutable after construction.
class SubtreeMarks {
 public:
  // `classes` by token.
  SubtreeMarks(const TokenTrie& trie, std::span<const TextClasses> classes);

  // Whether they are all of the class, and of at most so many bytes.
  bool all_are(std::size_t node, TextClass text, std::uint32_t max_bytes) const {
    return (marks_[node].classes & bit_of(text)) != 0 && marks_[node].longest <= max_bytes;
  }

 private:
  struct Mark {
    TextClasses classes = kAllTextClasses;
    std::uint8_t longest = 0;
  };
  std::vector<Mark> marks_;
};

}  // namespace parley::inference::grammar
