#pragma once
// The seam that orchestration sees: a question to passages with source, place and scores, best first.
// search blocks (worker threads); any number at once. Throws storage::sqlite::StoreError.

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "retrieval/index/stored_document.h"

namespace parley::retrieval::search {

struct SearchRequest {
  std::string question;
  std::vector<index::CollectionId> collections;  // empty: all
  int limit = 10;
  int max_per_file = 0;  // passages of one file; 0: no limit
};

// How a passage came to its place, for people who ask why.
struct ScoreParts {
  std::optional<double> text;    // BM25, higher is better
  std::optional<double> vector;  // cosine
  std::optional<double> rerank;
};

struct FoundPassage {
  index::StoredPassage passage;
  double score = 0;  // 0 to 1 within this answer: a rank, not a probability
  ScoreParts parts;
};

struct SearchTimes {
  double analyse_ms = 0, text_ms = 0, embed_ms = 0, vector_ms = 0, fuse_ms = 0, rerank_ms = 0;
};

struct SearchAnswer {
  std::vector<FoundPassage> passages;
  std::string note;  // what limits it, a sentence: "There is no embedding model: only words are compared."
  SearchTimes times;
};

class Retriever {
 public:
  virtual ~Retriever() = default;
  virtual SearchAnswer search(const SearchRequest& request) = 0;
};

}  // namespace parley::retrieval::search
