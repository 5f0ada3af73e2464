#pragma once
// Bytes that a constraint forces, as the tokens that the model itself would have used, so that they can be
// appended without sampling. Pure, any thread, never fails.

#include <span>
#include <string_view>
#include <vector>

#include "inference/grammar/vocabulary_index.h"

namespace parley::inference::grammar {

// The canonical tokens of `forced` behind `context` (the text's tokens so far; the last few are looked at).
// What a longer token could still span at the end is left out: it is for the model to draw. Empty if the
// border between the two is inside a canonical token.
std::vector<TokenId> forced_tokens(const VocabularyIndex& vocabulary, std::span<const TokenId> context,
                                   std::string_view forced);

}  // namespace parley::inference::grammar
