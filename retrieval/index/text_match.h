#pragma once
// Full text: a TextQuery to passages, best first. The connection's thread. Throws StoreError.

#include <chrono>
#include <cstdint>
#include <span>
#include <string>
#include <unordered_map>
#include <vector>

#include "retrieval/index/passage_rank.h"
#include "retrieval/index/passage_table.h"
#include "retrieval/index/sqlite.h"
#include "retrieval/index/stored_document.h"

namespace parley::retrieval::index {

class TextMatch {
 public:
  TextMatch(Database& database, PassageTable& passages);

  std::vector<ScoredPassage> find(const TextQuery& query, std::span<const CollectionId> collections,
                                  int limit);

 private:
  // What is looked for at one place after another: one word, or several in a row.
  struct Phrase {
    std::string expression;  // as FTS5 takes it
    std::string form;        // of one word: what is looked for beside it; else empty
    std::int64_t passages = 0;
  };

  std::vector<Phrase> phrases_of(const std::vector<std::string>& texts, bool is_whole);
  std::int64_t count_passages(const std::string& expression);
  void drop_frequent(std::vector<Phrase>& phrases) const;
  std::string plan(const TextQuery& query, std::span<const CollectionId> collections);
  std::string plan_forms(const std::vector<Phrase>& phrases);

  PassageTable& passages_;
  PassageRank rank_;  // before the statements that use it
  Statement count_;
  Statement match_;
  // When a phrase was found to be frequent: that is costly to count, so it is believed for a minute.
  std::unordered_map<std::string, std::chrono::steady_clock::time_point> frequent_;
};

}  // namespace parley::retrieval::index
