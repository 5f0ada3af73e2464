#include "inference/grammar/forced_tokens.h"

#include <algorithm>
#include <array>
#include <string>

namespace parley::inference::grammar {
namespace {

// Without leaving out any, nearly no forced run is what the tokenizer makes of the whole text.
constexpr std::size_t kMaxOpenTokens = 4;

std::span<const TokenId> last_text(const VocabularyIndex& vocabulary, std::span<const TokenId> context) {
  std::size_t size = 0;
  while (size < context.size() && size < kForcedContext) {
    const TokenId token = context[context.size() - 1 - size];
    if (vocabulary.is_special(token) || vocabulary.is_end(token)) break;
    ++size;
  }
  return context.last(size);
}

// How many tokens at the end a longer token could take the place of.
std::size_t num_open(const VocabularyIndex& vocabulary, std::span<const TokenId> tokens) {
  std::size_t open = 0;
  std::string suffix;
  for (std::size_t count = 1; count <= std::min(kMaxOpenTokens, tokens.size()); ++count) {
    suffix.insert(0, vocabulary.tokenizer().token_bytes(tokens[tokens.size() - count]));
    if (vocabulary.ordinary().has_longer(suffix)) open = count;
  }
  return open;
}

// A tokenizer leaves out bytes that its vocabulary lacks.
bool spells(const VocabularyIndex& vocabulary, std::span<const TokenId> tokens, std::string_view bytes) {
  for (const TokenId token : tokens) {
    const std::string_view piece = vocabulary.tokenizer().token_bytes(token);
    if (!bytes.starts_with(piece)) return false;
    bytes.remove_prefix(piece.size());
  }
  return bytes.empty();
}

}  // namespace

std::vector<TokenId> forced_tokens(const VocabularyIndex& vocabulary, std::span<const TokenId> context,
                                   std::string_view forced, ForcedEnd end) {
  const tokenizer::Tokenizer& tokenizer = vocabulary.tokenizer();
  const std::span<const TokenId> before = last_text(vocabulary, context);
  std::string text = tokenizer.decode(before, true);
  // Names such as <tool_call> that the context has as tokens.
  const std::array named = {tokenizer::TrustedRange{.begin = 0, .end = text.size()}};
  text += forced;
  const std::vector<TokenId> tokens = tokenizer.encode(text, named);
  const bool goes_on =
      tokens.size() >= before.size() && std::equal(before.begin(), before.end(), tokens.begin());
  if (!goes_on) return {};
  std::vector<TokenId> added(tokens.begin() + static_cast<std::ptrdiff_t>(before.size()), tokens.end());
  if (!spells(vocabulary, added, forced)) return {};
  if (end == ForcedEnd::open) added.resize(added.size() - num_open(vocabulary, added));
  return added;
}

}  // namespace parley::inference::grammar
