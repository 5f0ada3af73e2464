#pragma once
// Two rankings to one. Pure functions, any thread.

#include <optional>
#include <span>
#include <vector>

#include "retrieval/index/stored_document.h"
#include "retrieval/search/retriever.h"

namespace parley::retrieval::search {

struct FusedPassage {
  index::PassageId id = 0;
  double score = 0;  // 0 to 1
  ScoreParts parts;
};

// Rankings, best first, by full text (BM25) and by vectors (cosine). Scores of each list are taken to 0 .. 1
// between its least and best (the vectors' least is at least a fixed floor, below which cosines say nothing)
// and added with their weights. A list that is so short that its least score says nothing is fused by ranks
// instead: reciprocal, k = 60 (Cormack, Clarke & Büttcher 2009). One empty list: the order of the other.
std::vector<FusedPassage> fuse(std::span<const index::ScoredPassage> by_text,
                               std::span<const index::ScoredPassage> by_vector, double text_weight);

// The order stays. Passages of one text but the first are left out, and those beyond `max_per_file` of a file
// (0: no limit), up to `limit` in all.
std::vector<FoundPassage> pick_distinct(std::vector<FoundPassage> found, int limit, int max_per_file);

}  // namespace parley::retrieval::search
