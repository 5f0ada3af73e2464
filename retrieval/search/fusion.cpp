#include "retrieval/search/fusion.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <unordered_map>
#include <utility>

namespace parley::retrieval::search {
namespace {

constexpr std::size_t kShortList = 10;  // fewer passages than an answer has
constexpr double kRankConstant = 60.0;
constexpr double kVectorFloor = 0.0;  // of cosines

using index::ScoredPassage;

// Of each place in a list: what it adds, 0 to 1.
std::vector<double> by_scores(std::span<const ScoredPassage> list, double floor) {
  std::vector<double> values;
  if (list.empty()) return values;
  const double best = list.front().score;
  const double least = std::min(best, std::max(list.back().score, floor));
  for (const ScoredPassage& passage : list) {
    const double above = std::max(0.0, passage.score - least);
    values.push_back(best > least ? above / (best - least) : 1.0);
  }
  return values;
}

std::vector<double> by_ranks(std::span<const ScoredPassage> list) {
  std::vector<double> values;
  for (std::size_t rank = 1; rank <= list.size(); ++rank)
    values.push_back((kRankConstant + 1.0) / (kRankConstant + static_cast<double>(rank)));
  return values;
}

class Fusion {
 public:
  void add(std::span<const ScoredPassage> list, const std::vector<double>& values, double weight,
           std::optional<double> ScoreParts::*part) {
    for (std::size_t i = 0; i < list.size(); ++i) {
      FusedPassage& passage = passages_[list[i].id];
      passage.id = list[i].id;
      passage.score += weight * values[i];
      passage.parts.*part = list[i].score;
    }
  }
  std::vector<FusedPassage> best_first() const {
    std::vector<FusedPassage> fused;
    for (const auto& [id, passage] : passages_) fused.push_back(passage);
    std::sort(fused.begin(), fused.end(), [](const FusedPassage& a, const FusedPassage& b) {
      return a.score != b.score ? a.score > b.score : a.id < b.id;
    });
    return fused;
  }

 private:
  std::unordered_map<index::PassageId, FusedPassage> passages_;
};

}  // namespace

std::vector<FusedPassage> fuse(std::span<const ScoredPassage> by_text,
                               std::span<const ScoredPassage> by_vector, double text_weight) {
  if (by_text.empty()) text_weight = 0.0;
  if (by_vector.empty()) text_weight = 1.0;
  const bool both = !by_text.empty() && !by_vector.empty();
  const bool ranks = both && std::min(by_text.size(), by_vector.size()) < kShortList;
  Fusion fusion;
  fusion.add(by_text, ranks ? by_ranks(by_text) : by_scores(by_text, 0.0), text_weight, &ScoreParts::text);
  fusion.add(by_vector, ranks ? by_ranks(by_vector) : by_scores(by_vector, kVectorFloor), 1.0 - text_weight,
             &ScoreParts::vector);
  return fusion.best_first();
}

std::vector<FoundPassage> pick_distinct(std::vector<FoundPassage> found, int limit, int max_per_file) {
  std::set<index::TextHash> texts;
  std::map<index::FileId, int> of_file;
  std::vector<FoundPassage> picked;
  for (FoundPassage& candidate : found) {
    if (static_cast<int>(picked.size()) >= limit) break;
    int& count = of_file[candidate.passage.file];
    if (max_per_file > 0 && count >= max_per_file) continue;
    if (!texts.insert(candidate.passage.text_hash).second) continue;
    ++count;
    picked.push_back(std::move(candidate));
  }
  return picked;
}

}  // namespace parley::retrieval::search
