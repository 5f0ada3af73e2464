#include "inference/engine/token_counts.h"

#include <algorithm>

namespace parley::inference::engine {

TokenCounts::TokenCounts(std::span<const std::int32_t> tokens) {
  std::vector<std::int32_t> sorted(tokens.begin(), tokens.end());
  std::sort(sorted.begin(), sorted.end());
  for (const std::int32_t id : sorted) {
    if (counts_.empty() || counts_.back().token_id != id) counts_.push_back({id, 0});
    ++counts_.back().count;
  }
}

void TokenCounts::add(std::int32_t token_id) {
  const auto place =
      std::lower_bound(counts_.begin(), counts_.end(), token_id,
                       [](const backend::TokenCount& entry, std::int32_t id) { return entry.token_id < id; });
  if (place != counts_.end() && place->token_id == token_id) {
    ++place->count;
  } else {
    counts_.insert(place, {token_id, 1});
  }
}

}  // namespace parley::inference::engine
