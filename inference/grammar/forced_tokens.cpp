#include "inference/grammar/forced_tokens.h"

#include <algorithm>
#include <string>

namespace parley::inference::grammar {
namespace {

constexpr std::size_t kContextTokens = 8;
// Without leaving out any, nearly no forced run is what the tokenizer makes of the whole text.
constexpr std::size_t kMaxOpenTokens = 4;

std::span<const TokenId> last_text(const VocabularyIndex& vocabulary, std::span<const TokenId> context) {
  std::size_t size = 0;
  while (size < context.size() && size < kContextTokens) {
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

}  // namespace

std::vector<TokenId> forced_tokens(const VocabularyIndex& vocabulary, std::span<const TokenId> context,
                                   std::string_view forced) {
  const tokenizer::Tokenizer& tokenizer = vocabulary.tokenizer();
  const std::span<const TokenId> before = last_text(vocabulary, context);
  std::string text = tokenizer.decode(before, true);
  text += forced;
  const std::vector<TokenId> tokens = tokenizer.encode(text);
  const bool goes_on =
      tokens.size() >= before.size() && std::equal(before.begin(), before.end(), tokens.begin());
  if (!goes_on) return {};
  std::vector<TokenId> added(tokens.begin() + static_cast<std::ptrdiff_t>(before.size()), tokens.end());
  added.resize(added.size() - num_open(vocabulary, added));
  return added;
}

}  // namespace parley::inference::grammar
