#pragma once
// How well a passage's words answer a query: BM25 with fields (Robertson, Zaragoza & Taylor 2004) over the
// hits of FTS5's phrases, as an SQL function of one connection: passage_rank(passage_terms), higher is
// better. The connection's thread. Throws StoreError when this SQLite has no FTS5.

#include <array>
#include <cstdint>
#include <vector>

#include "retrieval/index/sqlite.h"

namespace parley::retrieval::index {

inline constexpr int kRankedColumns = 3;  // headings, words, parts; then come forms
inline constexpr std::size_t kWordsColumn = 1;
inline constexpr std::size_t kFormsColumn = 3;

// Found by tests/bench/docfaq_bench.
struct RankSettings {
  double k1 = 1.5;
  std::array<double, kRankedColumns> weights = {2.0, 1.0, 0.5};
  std::array<double, kRankedColumns> length_shares = {0.75, 1.0, 0.0};  // "b"
  // Of the average: passages that are shorter count as that long, or a caption of two words would be best.
  double least_length = 0.2;
  double rarity_power = 0.8;  // of the inverse passage frequency: below 1, more of the words count more
  double form_share = 0.5;    // what the form of a word counts, beside its stem
};

struct RankedPhrase {
  std::int64_t passages = 0;  // in how many it is
  double share = 1.0;         // of its weight; 0: it adds nothing to the score
};

// The next query's phrases, in the order in which they stand in the MATCH expression.
struct RankPlan {
  RankSettings settings;
  std::vector<RankedPhrase> phrases;
  std::vector<double> weights;  // made from them at the query's first row

  void begin_query() { weights.clear(); }
};

// The function on a connection, which it must outlive while statements use it.
class PassageRank {
 public:
  explicit PassageRank(Database& database);
  PassageRank(const PassageRank&) = delete;
  PassageRank& operator=(const PassageRank&) = delete;

  RankPlan plan;
};

}  // namespace parley::retrieval::index
