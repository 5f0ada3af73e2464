#pragma once
// What indexes that are kept beside the store (vectors) need to follow it. Values, any thread.

#include <cstdint>
#include <vector>

#include "retrieval/index/stored_document.h"

namespace parley::retrieval::index {

struct PassageKey {
  PassageId id = 0;
  CollectionId collection = 0;
  TextHash text_hash{};
};

// Both ends belong to it.
struct PassageRange {
  PassageId first = 0;
  PassageId last = 0;
};

// How far a follower has come.
struct FeedMark {
  PassageId passage = 0;
  std::int64_t gone = 0;
};

struct PassageChanges {
  std::vector<PassageKey> added;   // by ascending id
  std::vector<PassageRange> gone;  // may name passages that were never told of
  FeedMark mark;                   // where to go on
  bool more = false;
};

}  // namespace parley::retrieval::index
