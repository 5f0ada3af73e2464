#pragma once
// Reads the merges of a model file, "left right" each, by the names of its tokens. Pure, any thread.
// Throws std::runtime_error that names file, key and entry: names that are there twice; merges that are
// malformed, repeated, of tokens that do not exist, or of special tokens (data could turn into those).

#include "inference/tokenizer/merge_table.h"
#include "inference/tokenizer/tokenizer_metadata.h"
#include "inference/tokenizer/vocabulary.h"

namespace parley::inference::tokenizer {

MergeTable read_merges(const TokenizerMetadata& metadata, const Vocabulary& vocabulary);

}  // namespace parley::inference::tokenizer
