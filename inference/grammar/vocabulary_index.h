#pragma once
// The tokens of a model as constraints need them: by their bytes in tries, and by name where a byte sequence
// never leads to them. Built once per model (about 0.1 s for 150,000 tokens); immutable after construction,
// any thread. Borrows the tokenizer. Never fails.
//
// A slice is the set of tokens that are wholly of a class of text and at most so many bytes long. Where a
// grammar lets any such text follow, as inside a JSON string, the slice's mask is taken as it is, and only
// the rest of the vocabulary is walked.

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "inference/grammar/token_trie.h"
#include "inference/tokenizer/tokenizer.h"

namespace parley::inference::grammar {

using tokenizer::TokenId;

// Sets of tokens, a bit each: token t is bit t % 64 of word t / 64.
using MaskWords = std::vector<std::uint64_t>;
void set_bit(std::span<std::uint64_t> mask, TokenId token);
void clear_bit(std::span<std::uint64_t> mask, TokenId token);
bool has_bit(std::span<const std::uint64_t> mask, TokenId token);

class VocabularyIndex {
 public:
  struct Slice {
    TextClass text = TextClass::safe;
    std::uint32_t max_bytes = 0;  // of a token in the slice, so at most so many characters
    std::size_t num_tokens = 0;
    MaskWords mask;
    // The ordinary tokens outside the slice, where it is needed most often. Else they are the ones of
    // ordinary() that are not below nodes of which marks() says that all are inside.
    std::optional<TokenTrie> rest;
  };

  explicit VocabularyIndex(const tokenizer::Tokenizer& tokenizer);

  std::size_t num_tokens() const { return static_cast<std::size_t>(tokenizer_.vocab_size()); }
  std::size_t num_words() const { return (num_tokens() + 63) / 64; }
  const tokenizer::Tokenizer& tokenizer() const { return tokenizer_; }

  // Ordinary tokens: text, and names that the tokenizer treats as text once they are generated.
  const TokenTrie& ordinary() const { return ordinary_; }
  const SubtreeMarks& marks() const { return marks_; }
  const MaskWords& ordinary_mask() const { return ordinary_mask_; }
  // Ordinary tokens that are too long for a trie.
  std::span<const TokenId> long_tokens() const { return long_tokens_; }
  // Ordinary tokens of more than kLongText bytes: those of safe text with the most characters first, and
  // others.
  static constexpr std::uint32_t kLongText = 16;
  struct SizedToken {
    TokenId token = 0;
    std::uint32_t num_characters = 0;
  };
  std::span<const SizedToken> long_texts() const { return long_texts_; }
  std::span<const TokenId> long_others() const { return long_others_; }
  // None of them empty, from the one of the most tokens to the one of the fewest.
  std::span<const Slice> slices() const { return slices_; }

  // Control tokens that do not end a turn, ascending.
  std::span<const TokenId> special_tokens() const { return special_tokens_; }
  // Tokens that end a turn, ascending.
  std::span<const TokenId> end_tokens() const { return tokenizer_.special_tokens().stops; }
  bool is_end(TokenId token) const;
  bool is_special(TokenId token) const { return tokenizer_.is_special(token); }
  // The control token of that name.
  std::optional<TokenId> special_token(std::string_view name) const;
  // The ordinary token of that name which text is not tokenized to, unless names are looked for in it.
  std::optional<TokenId> user_token(std::string_view name) const;

 private:
  void add_ordinary(TokenId token, std::string_view bytes, TextClasses classes);
  void add_slice(TextClass text, std::uint32_t max_bytes, std::span<const TokenBytes> tokens,
                 std::span<const TextClasses> classes);

  const tokenizer::Tokenizer& tokenizer_;
  TokenTrie ordinary_{{}};
  SubtreeMarks marks_{ordinary_, {}};
  MaskWords ordinary_mask_;
  std::vector<TokenId> long_tokens_;
  std::vector<SizedToken> long_texts_;
  std::vector<TokenId> long_others_;
  std::vector<Slice> slices_;
  std::vector<TokenId> special_tokens_;
  std::unordered_map<std::string_view, TokenId> special_names_;
};

}  // namespace parley::inference::grammar
