#pragma once
// What a walk of a folder means for what is stored of it: files to read, to rename, to remove. Pure functions
// over values, any thread.

#include <string>
#include <vector>

#include "retrieval/index/stored_document.h"
#include "retrieval/scan/folder_walk.h"

namespace parley::retrieval::ingest {

struct Rename {
  index::FileId file = 0;
  std::string path;
  scan::FileStamp stamp;
};

struct Reconciliation {
  std::vector<index::FileToRead> to_read;
  std::vector<Rename> renames;
  std::vector<index::FileId> to_remove;
};

// `found` and `known` are of the same part of the folder (all of it, or below one path), each path once, in
// any order. A file is read when its stamp is new, when it was never read, or when the readers have changed
// since.
Reconciliation reconcile(std::vector<scan::FoundFile> found, std::vector<index::FileRecord> known);

// Whether so many are gone that a person should say whether that is meant: above a fifth of them, and 20 at
// least.
bool is_mass_deletion(std::size_t num_removed, std::size_t num_known);

}  // namespace parley::retrieval::ingest
