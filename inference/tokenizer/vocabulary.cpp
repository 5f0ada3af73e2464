#include "inference/tokenizer/vocabulary.h"

#include <algorithm>
#include <optional>

#include "inference/tokenizer/byte_alphabet.h"

namespace parley::inference::tokenizer {
namespace {

// Ends of a turn that some files do not declare: ChatML, GPT-2 and Qwen, Llama 3.
constexpr std::string_view kStopNames[] = {"<|im_end|>", "<|endoftext|>", "<|eot_id|>", "<|eom_id|>",
                                           "<|end_of_text|>"};

// Some files call control tokens normal.
bool looks_special(std::string_view name) {
  return name.size() > 4 && name.starts_with("<|") && name.ends_with("|>");
}

bool is_declared_special(const TokenizerMetadata& metadata, TokenId id) {
  return id == metadata.bos || id == metadata.eos || id == metadata.eot || id == metadata.eom;
}

TokenUse use_of(const TokenizerMetadata& metadata, TokenId id) {
  const auto index = static_cast<std::size_t>(id);
  const bool has_type = !metadata.types.empty();
  switch (has_type ? static_cast<TokenType>(metadata.types[index]) : TokenType::normal) {
    case TokenType::unknown:
    case TokenType::control:
      return TokenUse::special;
    case TokenType::user_defined:
      return TokenUse::user_defined;
    case TokenType::unused:
      return TokenUse::unused;
    case TokenType::normal:
    case TokenType::byte:
      break;
  }
  if (looks_special(metadata.names[index])) return TokenUse::special;
  return !has_type && is_declared_special(metadata, id) ? TokenUse::special : TokenUse::text;
}

}  // namespace

Vocabulary::Vocabulary(const TokenizerMetadata& metadata) : offsets_{0} {
  const std::size_t size = metadata.names.size();
  offsets_.reserve(size + 1);
  uses_.reserve(size);
  has_bytes_.reserve(size);
  for (std::size_t index = 0; index < size; ++index) {
    const TokenUse use = use_of(metadata, static_cast<TokenId>(index));
    const std::string& name = metadata.names[index];
    std::optional<std::string> bytes;
    if (use == TokenUse::text || use == TokenUse::user_defined) bytes = bytes_of_name(name);
    if (use == TokenUse::user_defined && bytes != name) bytes.reset();  // such names are plain text
    blob_ += bytes.value_or(name);
    offsets_.push_back(blob_.size());
    uses_.push_back(use);
    has_bytes_.push_back(bytes && !bytes->empty());
  }
}

std::string_view Vocabulary::bytes(TokenId id) const {
  if (id < 0 || id >= size()) return {};
  const auto index = static_cast<std::size_t>(id);
  return std::string_view(blob_).substr(offsets_[index], offsets_[index + 1] - offsets_[index]);
}

TokenUse Vocabulary::use(TokenId id) const {
  return id >= 0 && id < size() ? uses_[static_cast<std::size_t>(id)] : TokenUse::unused;
}

std::array<TokenId, 256> Vocabulary::byte_tokens() const {
  std::array<TokenId, 256> tokens;
  tokens.fill(kNoToken);
  for (TokenId id = 0; id < size(); ++id) {
    if (has_bytes_[static_cast<std::size_t>(id)] && bytes(id).size() == 1) {
      tokens[static_cast<unsigned char>(bytes(id)[0])] = id;
    }
  }
  return tokens;
}

std::vector<std::pair<std::string, TokenId>> Vocabulary::named_tokens() const {
  std::vector<std::pair<std::string, TokenId>> tokens;
  for (TokenId id = 0; id < size(); ++id) {
    if (use(id) == TokenUse::special || use(id) == TokenUse::user_defined) tokens.emplace_back(bytes(id), id);
  }
  return tokens;
}

std::unordered_map<std::string_view, TokenId> Vocabulary::words() const {
  std::unordered_map<std::string_view, TokenId> words;
  words.reserve(uses_.size());
  for (TokenId id = 0; id < size(); ++id) {
    if (has_bytes_[static_cast<std::size_t>(id)] && use(id) == TokenUse::text) words.emplace(bytes(id), id);
  }
  return words;
}

SpecialTokens Vocabulary::special_tokens(const TokenizerMetadata& metadata) const {
  SpecialTokens tokens;
  tokens.bos = metadata.bos;
  tokens.eos = metadata.eos;
  tokens.add_bos = metadata.add_bos;
  for (const std::optional<TokenId> id : {metadata.eos, metadata.eot, metadata.eom}) {
    if (id) tokens.stops.push_back(*id);
  }
  for (const auto& [name, id] : named_tokens()) {
    const bool is_stop =
        std::find(std::begin(kStopNames), std::end(kStopNames), name) != std::end(kStopNames);
    if (is_stop) tokens.stops.push_back(id);
  }
  std::sort(tokens.stops.begin(), tokens.stops.end());
  tokens.stops.erase(std::unique(tokens.stops.begin(), tokens.stops.end()), tokens.stops.end());
  return tokens;
}

}  // namespace parley::inference::tokenizer
