#include "inference/grammar/tag_index.h"

#include <algorithm>

namespace parley::inference::grammar {

void TagIndex::finish() {
  std::sort(pairs_.begin(), pairs_.end());
  pairs_.erase(std::unique(pairs_.begin(), pairs_.end()), pairs_.end());
  pairs_.shrink_to_fit();
}

bool TagIndex::reaches(ByteAutomaton::State state, int first, int last) const {
  if (pairs_.empty()) return true;
  const auto found = std::lower_bound(pairs_.begin(), pairs_.end(), std::pair(state, first));
  return found != pairs_.end() && found->first == state && found->second <= last;
}

}  // namespace parley::inference::grammar
