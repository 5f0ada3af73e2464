#pragma once
// The tokens of a model: the bytes each stands for, and what it may be used for.
// Immutable after construction, any thread. Construction throws std::runtime_error that names file and key.

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "inference/tokenizer/merge_table.h"
#include "inference/tokenizer/tokenizer.h"
#include "inference/tokenizer/tokenizer_metadata.h"

namespace parley::inference::tokenizer {

// What tokens may be used for. Official tokenizers match names of both the last two kinds wherever they
// stand; here trusted text alone may name them, so that nobody can write <tool_call> into a prompt. Once
// generated, a user-defined token is shown like text (a parser wants its <tool_call>), a special one is not.
enum class TokenUse : std::uint8_t {
  text,          // found by merging
  user_defined,  // found by name in trusted text, or by merging
  special,       // found by name in trusted text only
  unused,        // never found; as special as the last
};

class Vocabulary {
 public:
  explicit Vocabulary(const TokenizerMetadata& metadata);

  int size() const { return static_cast<int>(uses_.size()); }

  // Of text its bytes, of others the name. Models may have embeddings for ids that have no token: such ids
  // have no bytes and are unused.
  std::string_view bytes(TokenId id) const;
  TokenUse use(TokenId id) const;

  // Tokens of single bytes, kNoToken where there is none.
  std::array<TokenId, 256> byte_tokens() const;

  // Tokens that trusted text may name, with their names.
  std::vector<std::pair<std::string, TokenId>> named_tokens() const;

  // Text tokens by their bytes. Borrows from the vocabulary.
  std::unordered_map<std::string_view, TokenId> words() const;

  SpecialTokens special_tokens(const TokenizerMetadata& metadata) const;

 private:
  std::string blob_;                  // all bytes, one token after the other
  std::vector<std::size_t> offsets_;  // size() + 1
  std::vector<TokenUse> uses_;
  std::vector<bool> has_bytes_;  // false: a name outside the byte alphabet, which no bytes lead to
};

}  // namespace parley::inference::tokenizer
