#pragma once
// How far a collection is, for people who wait for it. Values, any thread.

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "retrieval/index/stored_document.h"

namespace parley::retrieval::ingest {

enum class Activity : std::uint8_t {
  idle,     // as the folder is
  walking,  // looking what is there
  reading,
  standing,  // paused, folder gone, or waiting for a word on many deletions: Collection::reason says which
};

struct CollectionStatus {
  index::Collection collection;
  index::CollectionCounts counts;
  Activity activity = Activity::idle;
  std::int64_t files_seen = 0;                      // by the walk that runs or ended last
  std::map<std::string, std::int64_t> passed_over;  // by the walk: reason and how many
  std::vector<std::string> in_hand;                 // paths of what is being read
  double files_per_second = 0;                      // over the last half minute; 0: not known
  double seconds_left = 0;                          // 0: not known
  std::string limitation;                           // why changes are not followed at once; empty: they are
  std::string failure;                              // why nothing goes on; empty: it does
};

}  // namespace parley::retrieval::ingest
