#pragma once
// Text to token ids and back (byte-level BPE; Sennrich et al. 2016, and GPT-2's byte alphabet).
// Immutable after construction, any thread. Tokenising takes O(n log n) steps for any text of n bytes. Only
// make_tokenizer fails.

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace parley::inference::formats {
class GgufFile;
}

namespace parley::inference::tokenizer {

using TokenId = std::int32_t;

// Half-open byte range of a text in which the names of special tokens count as such.
struct TrustedRange {
  std::size_t begin = 0;
  std::size_t end = 0;
};

struct SpecialTokens {
  std::optional<TokenId> bos;
  std::optional<TokenId> eos;
  bool add_bos = false;  // the file asks for bos before raw text
  // Every id that ends a turn, ascending: eos, eot, eom of the file, and where the vocabulary has them
  // <|im_end|>, <|endoftext|>, <|eot_id|>, <|eom_id|>, <|end_of_text|>.
  std::vector<TokenId> stops;
};

class Tokenizer {
 public:
  virtual ~Tokenizer() = default;

  // Text that is data: nothing in it becomes a special token. Bytes that are not UTF-8 are encoded like any
  // other, never an error. A byte that the vocabulary has no token for is left out (SmolLM2 lacks 21).
  virtual std::vector<TokenId> encode(std::string_view text) const = 0;

  // Text of mixed origin: special-token names count only where they lie wholly inside one trusted range.
  // Ranges ascend and do not overlap. Text between special tokens is tokenised as one run, across origins.
  virtual std::vector<TokenId> encode(std::string_view text, std::span<const TrustedRange> trusted) const = 0;

  // Bytes of one token; for special tokens its name. Not necessarily valid UTF-8 alone. Empty for an id that
  // has no token.
  virtual std::string_view token_bytes(TokenId id) const = 0;

  // Control tokens and their like, which no reader should see. User-defined tokens such as <tool_call> are
  // named by trusted text only, too, but once generated they are text. True for an id that has no token.
  virtual bool is_special(TokenId id) const = 0;

  // Bytes of the ids, special tokens left out unless asked for.
  virtual std::string decode(std::span<const TokenId> ids, bool with_special) const = 0;

  virtual int vocab_size() const = 0;
  virtual const SpecialTokens& special_tokens() const = 0;
};

// Throws std::runtime_error that names the metadata key, or the pre-tokenizers supported.
std::unique_ptr<Tokenizer> make_tokenizer(const formats::GgufFile& file);

}  // namespace parley::inference::tokenizer
