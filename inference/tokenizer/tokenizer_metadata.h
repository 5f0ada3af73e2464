#pragma once
// The tokenizer's part of a model file's metadata, checked: kinds, sizes, ids in range, names that are UTF-8.
// Borrows from the file. Immutable, any thread. Throws std::runtime_error that names file and key.

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "inference/formats/gguf.h"
#include "inference/tokenizer/pre_tokenizer_rules.h"
#include "inference/tokenizer/tokenizer.h"

namespace parley::inference::tokenizer {

inline constexpr std::string_view kTokensKey = "tokenizer.ggml.tokens";
inline constexpr std::string_view kTokenTypeKey = "tokenizer.ggml.token_type";
inline constexpr std::string_view kMergesKey = "tokenizer.ggml.merges";

// Numbers of the GGUF specification.
enum class TokenType : std::int8_t { normal = 1, unknown, control, user_defined, unused, byte };

struct TokenizerMetadata {
  const formats::GgufFile* file = nullptr;
  const PreTokenizerRules* rules = nullptr;
  std::span<const std::string> names;   // of the tokens, by id
  std::span<const std::int64_t> types;  // TokenType by id; empty if the file has none
  std::span<const std::string> merges;
  std::optional<TokenId> bos;
  std::optional<TokenId> eos;
  std::optional<TokenId> eot;
  std::optional<TokenId> eom;
  bool add_bos = false;
};

TokenizerMetadata read_tokenizer_metadata(const formats::GgufFile& file);

[[noreturn]] void fail_at(const formats::GgufFile& file, std::string_view key, std::string_view problem);
[[noreturn]] void fail_at_entry(const formats::GgufFile& file, std::string_view key, std::size_t index,
                                std::string_view problem);

}  // namespace parley::inference::tokenizer
