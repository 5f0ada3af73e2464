#pragma once
// What the indexer knows of one collection beside the store: its watch, what is to be walked next, how fast
// it goes. The indexer's thread, but for `changes`, which a watch's thread fills.

#include <chrono>
#include <memory>
#include <mutex>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "retrieval/ingest/collection_status.h"
#include "retrieval/ingest/indexer.h"
#include "retrieval/ingest/rate.h"
#include "retrieval/scan/folder_watch.h"

namespace parley::retrieval::ingest {

// Told by a watch, waiting for the indexer.
struct FolderChanges {
  std::mutex mutex;
  std::set<std::string> paths;
  bool everything = false;
};

struct FolderState {
  index::Collection collection;
  scan::FolderRules rules;
  std::shared_ptr<FolderChanges> changes = std::make_shared<FolderChanges>();
  std::unique_ptr<scan::FolderWatch> watch;  // null: not watched (now)
  std::string limitation;
  std::optional<Clock::time_point> walk_at;  // all of it
  Deletions deletions = Deletions::ask_when_many;
  std::int64_t files_seen = 0;
  std::map<std::string, std::int64_t> passed_over;
  bool walking = false;
  Rate rate;
};

// Why this folder cannot be a collection, a sentence; empty: it can.
std::string folder_problem(const index::CollectionSettings& settings, const std::vector<FolderState*>& others,
                           const std::vector<std::string>& private_folders);

}  // namespace parley::retrieval::ingest
