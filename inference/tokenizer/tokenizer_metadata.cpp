#include "inference/tokenizer/tokenizer_metadata.h"

#include <limits>
#include <stdexcept>
#include <variant>
#include <vector>

#include "inference/tokenizer/utf8.h"

namespace parley::inference::tokenizer {
namespace {

constexpr std::string_view kModelKey = "tokenizer.ggml.model";
constexpr std::string_view kPreKey = "tokenizer.ggml.pre";

// What a hostile file calls something, fit to stand in a message.
std::string quote(std::string_view text) {
  constexpr std::size_t kMaxLength = 40;
  std::string result = "'";
  for (const char byte : text.substr(0, kMaxLength)) result += byte >= ' ' && byte <= '~' ? byte : '?';
  return result + (text.size() > kMaxLength ? "…'" : "'");
}

template <typename Element>
std::span<const Element> find_array(const formats::GgufFile& file, std::string_view key,
                                    std::string_view kind) {
  const formats::MetadataValue* value = file.find_metadata(key);
  if (value == nullptr) return {};
  const auto* array = std::get_if<std::vector<Element>>(value);
  if (array == nullptr) fail_at(file, key, "must be an array of " + std::string(kind));
  return *array;
}

void check_model(const formats::GgufFile& file) {
  const std::optional<std::string> model = formats::find_string(file, kModelKey);
  if (!model) fail_at(file, kModelKey, "is missing, so the file has no tokenizer; use a complete model file");
  if (*model == "gpt2") return;
  fail_at(file, kModelKey, quote(*model) + " is not supported; supported is gpt2 (byte-level BPE)");
}

const PreTokenizerRules* read_rules(const formats::GgufFile& file) {
  const std::optional<std::string> name = formats::find_string(file, kPreKey);
  if (!name) fail_at(file, kPreKey, "is missing; supported are " + supported_pre_tokenizers());
  const PreTokenizerRules* rules = find_pre_tokenizer_rules(*name);
  if (rules != nullptr) return rules;
  fail_at(file, kPreKey, quote(*name) + " is not supported; supported are " + supported_pre_tokenizers());
}

void check_names(const formats::GgufFile& file, std::span<const std::string> names) {
  if (names.empty()) fail_at(file, kTokensKey, "is missing or empty");
  if (names.size() > static_cast<std::size_t>(std::numeric_limits<TokenId>::max())) {
    fail_at(file, kTokensKey, "has too many entries");
  }
  for (std::size_t index = 0; index < names.size(); ++index) {
    if (!is_valid_utf8(names[index])) fail_at_entry(file, kTokensKey, index, "is not valid UTF-8");
  }
}

void check_types(const TokenizerMetadata& metadata) {
  if (metadata.types.empty()) return;
  if (metadata.types.size() != metadata.names.size()) {
    fail_at(*metadata.file, kTokenTypeKey,
            "has " + std::to_string(metadata.types.size()) + " entries for " +
                std::to_string(metadata.names.size()) + " tokens");
  }
  constexpr auto kFirst = static_cast<std::int64_t>(TokenType::normal);
  constexpr auto kLast = static_cast<std::int64_t>(TokenType::byte);
  for (std::size_t index = 0; index < metadata.types.size(); ++index) {
    const std::int64_t type = metadata.types[index];
    if (type >= kFirst && type <= kLast) continue;
    fail_at_entry(*metadata.file, kTokenTypeKey, index, "is " + std::to_string(type) + ", must be 1 to 6");
  }
}

std::optional<TokenId> read_id(const TokenizerMetadata& metadata, std::string_view key) {
  const std::optional<std::int64_t> id = formats::find_integer(*metadata.file, key);
  if (!id) return std::nullopt;
  if (*id < 0 || *id >= static_cast<std::int64_t>(metadata.names.size())) {
    fail_at(*metadata.file, key,
            std::to_string(*id) + " is no token; there are " + std::to_string(metadata.names.size()));
  }
  return static_cast<TokenId>(*id);
}

}  // namespace

TokenizerMetadata read_tokenizer_metadata(const formats::GgufFile& file) {
  check_model(file);
  TokenizerMetadata metadata;
  metadata.file = &file;
  metadata.rules = read_rules(file);
  metadata.names = find_array<std::string>(file, kTokensKey, "strings");
  metadata.types = find_array<std::int64_t>(file, kTokenTypeKey, "integers");
  metadata.merges = find_array<std::string>(file, kMergesKey, "strings");
  check_names(file, metadata.names);
  check_types(metadata);
  metadata.bos = read_id(metadata, "tokenizer.ggml.bos_token_id");
  metadata.eos = read_id(metadata, "tokenizer.ggml.eos_token_id");
  metadata.eot = read_id(metadata, "tokenizer.ggml.eot_token_id");
  metadata.eom = read_id(metadata, "tokenizer.ggml.eom_token_id");
  metadata.add_bos =
      formats::find_bool(file, "tokenizer.ggml.add_bos_token").value_or(metadata.rules->add_bos);
  return metadata;
}

void fail_at(const formats::GgufFile& file, std::string_view key, std::string_view problem) {
  throw std::runtime_error(file.path().string() + ": metadata key '" + std::string(key) +
                           "': " + std::string(problem));
}

void fail_at_entry(const formats::GgufFile& file, std::string_view key, std::size_t index,
                   std::string_view problem) {
  fail_at(file, key, "entry " + std::to_string(index) + " " + std::string(problem));
}

}  // namespace parley::inference::tokenizer
