#pragma once
// Brings what the store has of a collection in line with its folder: walks, reconciles, queues, renames,
// removes. The indexer's thread. Throws storage::sqlite::StoreError.

#include <functional>
#include <stop_token>
#include <string>
#include <utility>
#include <vector>

#include "retrieval/index/document_store.h"
#include "retrieval/ingest/folder_state.h"
#include "retrieval/scan/folder_walk.h"

namespace parley::retrieval::ingest {

class FolderWalker {
 public:
  // `progress` is called now and then in a long walk.
  FolderWalker(index::DocumentStore& store, std::vector<std::string> private_folders,
               std::function<void()> progress)
      : store_(store), private_folders_(std::move(private_folders)), progress_(std::move(progress)) {}

  // All of it. Says in the collection's state when the folder is gone, or so much of it that a person has to
  // say whether that is meant.
  void walk_all(FolderState& folder, const std::stop_token& stop);
  // Only these paths and what is below them, as a watch names them.
  void walk_some(FolderState& folder, const std::vector<std::string>& paths, const std::stop_token& stop);

 private:
  struct Walked {
    scan::WalkEnd end = scan::WalkEnd::complete;
    std::vector<scan::FoundFile> files;
    std::vector<std::string> unreadable;  // what lies there is not known: nothing of it is removed
  };
  Walked walk(FolderState& folder, const std::string& start, const std::stop_token& stop);
  bool is_private(const FolderState& folder, const std::string& path) const;
  std::vector<index::FileRecord> known_files(const FolderState& folder) const;
  void apply(FolderState& folder, Walked found, std::vector<index::FileRecord> known);
  void set_state(FolderState& folder, index::CollectionState state, const std::string& reason);

  index::DocumentStore& store_;
  const std::vector<std::string> private_folders_;
  const std::function<void()> progress_;
};

}  // namespace parley::retrieval::ingest
