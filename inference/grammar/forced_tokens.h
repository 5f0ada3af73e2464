#pragma once
// Bytes that a constraint forces, as the tokens that the model itself would have used, so that they can be
// appended without sampling. Pure, any thread, never fails.

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "inference/grammar/vocabulary_index.h"

namespace parley::inference::grammar {

// What comes behind forced bytes: something that is not known yet, or a control token or the end, with which
// no token of the bytes can merge.
enum class ForcedEnd : std::uint8_t { open, closed };

// So many of a text's last tokens are looked at.
inline constexpr std::size_t kForcedContext = 8;

// The canonical tokens of `forced` behind `context` (the text's tokens so far).
// At an open end, what a longer token could still span is left out: it is for the model to draw. Empty if the
// border between the two is inside a canonical token, or the vocabulary cannot write the bytes.
std::vector<TokenId> forced_tokens(const VocabularyIndex& vocabulary, std::span<const TokenId> context,
                                   std::string_view forced, ForcedEnd end = ForcedEnd::open);

}  // namespace parley::inference::grammar
