#include "inference/grammar/vocabulary_index.h"

#include <algorithm>
#include <array>
#include <limits>
#include <utility>

namespace parley::inference::grammar {
namespace {

// Long enough for most tokens; strings with a limit on their length can use the shorter ones to near their
// end.
constexpr std::uint32_t kSliceBytes[] = {std::numeric_limits<std::uint32_t>::max(), 30, 10};

}  // namespace

void set_bit(std::span<std::uint64_t> mask, TokenId token) {
  const auto index = static_cast<std::size_t>(token);
  if (index / 64 < mask.size()) mask[index / 64] |= std::uint64_t{1} << (index % 64);
}

void clear_bit(std::span<std::uint64_t> mask, TokenId token) {
  const auto index = static_cast<std::size_t>(token);
  if (index / 64 < mask.size()) mask[index / 64] &= ~(std::uint64_t{1} << (index % 64));
}

bool has_bit(std::span<const std::uint64_t> mask, TokenId token) {
  const auto index = static_cast<std::size_t>(token);
  return index / 64 < mask.size() && (mask[index / 64] >> (index % 64) & 1) != 0;
}

VocabularyIndex::VocabularyIndex(const tokenizer::Tokenizer& tokenizer)
    : tokenizer_(tokenizer), ordinary_mask_(num_words()) {
  std::vector<TokenBytes> tokens;
  tokens.reserve(num_tokens());
  std::vector<TextClasses> classes(num_tokens());
  for (TokenId token = 0; token < tokenizer.vocab_size(); ++token) {
    const std::string_view bytes = tokenizer.token_bytes(token);
    if (bytes.empty() || is_end(token)) continue;
    if (is_special(token)) {
      special_tokens_.push_back(token);
      special_names_.emplace(bytes, token);
      continue;
    }
    tokens.push_back({bytes, token});
    classes[static_cast<std::size_t>(token)] = classes_of(bytes);
    add_ordinary(token, bytes, classes[static_cast<std::size_t>(token)]);
  }
  std::sort(long_texts_.begin(), long_texts_.end(),
            [](const SizedToken& a, const SizedToken& b) { return a.num_characters > b.num_characters; });
  std::sort(tokens.begin(), tokens.end(),
            [](const TokenBytes& a, const TokenBytes& b) { return a.bytes < b.bytes; });
  ordinary_ = TokenTrie(tokens);
  marks_ = SubtreeMarks(ordinary_, classes);
  for (const TextClass text : kTextClasses) {
    for (const std::uint32_t max_bytes : kSliceBytes) add_slice(text, max_bytes, tokens, classes);
  }
  std::stable_sort(slices_.begin(), slices_.end(),
                   [](const Slice& a, const Slice& b) { return a.num_tokens > b.num_tokens; });
}

void VocabularyIndex::add_ordinary(TokenId token, std::string_view bytes, TextClasses classes) {
  set_bit(ordinary_mask_, token);
  if (bytes.size() > TokenTrie::kMaxDepth) long_tokens_.push_back(token);
  if (bytes.size() <= kLongText) return;
  if ((classes & bit_of(TextClass::safe)) == 0) return long_others_.push_back(token);
  const auto is_lead = [](char byte) { return (static_cast<unsigned char>(byte) & 0xC0) != 0x80; };
  long_texts_.push_back(
      {token, static_cast<std::uint32_t>(std::count_if(bytes.begin(), bytes.end(), is_lead))});
}

void VocabularyIndex::add_slice(TextClass text, std::uint32_t max_bytes, std::span<const TokenBytes> tokens,
                                std::span<const TextClasses> classes) {
  Slice slice;
  slice.text = text;
  slice.mask.resize(num_words());
  std::vector<TokenBytes> rest;
  for (const TokenBytes& token : tokens) {
    const bool is_inside = token.bytes.size() <= max_bytes &&
                           (classes[static_cast<std::size_t>(token.token)] & bit_of(text)) != 0;
    if (!is_inside) {
      if (text == TextClass::safe) rest.push_back(token);
      continue;
    }
    set_bit(slice.mask, token.token);
    slice.max_bytes = std::max(slice.max_bytes, static_cast<std::uint32_t>(token.bytes.size()));
    ++slice.num_tokens;
  }
  if (slice.num_tokens == 0) return;
  if (text == TextClass::safe) slice.rest.emplace(rest);
  slices_.push_back(std::move(slice));
}

bool VocabularyIndex::is_end(TokenId token) const {
  const auto ends = end_tokens();
  return std::binary_search(ends.begin(), ends.end(), token);
}

std::optional<TokenId> VocabularyIndex::special_token(std::string_view name) const {
  const auto found = special_names_.find(name);
  if (found == special_names_.end()) return std::nullopt;
  return found->second;
}

std::optional<TokenId> VocabularyIndex::user_token(std::string_view name) const {
  const std::array named = {tokenizer::TrustedRange{.begin = 0, .end = name.size()}};
  const std::vector<TokenId> tokens = tokenizer_.encode(name, named);
  if (tokens.size() != 1 || is_special(tokens.front()) || is_end(tokens.front())) return std::nullopt;
  if (tokenizer_.token_bytes(tokens.front()) != name || tokenizer_.encode(name) == tokens)
    return std::nullopt;
  return tokens.front();
}

}  // namespace parley::inference::grammar
