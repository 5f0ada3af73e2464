#pragma once
// One file from its bytes to a new generation for the store: opened without leaving the root, hashed, read by
// the worker, cut into passages. Blocks; a reader thread each. What the file does is an outcome, never an
// exception; a worker that cannot be started throws.

#include <filesystem>
#include <stop_token>
#include <variant>

#include "retrieval/chunking/chunker.h"
#include "retrieval/documents/document_worker.h"
#include "retrieval/index/stored_document.h"

namespace parley::retrieval::ingest {

struct FileJob {
  std::filesystem::path root;
  index::FileRecord file;
};

// The bytes are those that were read before: only the stamp is new.
struct Unchanged {
  scan::FileStamp stamp;
};
struct Gone {};
// It was written to while it was read, or the reading was cut off: to be read again soon.
struct ReadAgain {};

// What did not work. `passing`: it may work later (a busy disk, a worker killed for its memory), so it is
// tried again.
struct NotRead {
  index::FileState state = index::FileState::failed;
  std::string reason;
  bool passing = false;
  std::optional<index::TextHash> content;
};

using FileOutcome = std::variant<index::FileCommit, Unchanged, Gone, ReadAgain, NotRead>;

struct ChunkSettings {
  const chunking::TokenCounter* counter = nullptr;  // outlives the reading
  chunking::ChunkOptions options;
};

FileOutcome read_file(const FileJob& job, documents::DocumentWorker& worker, const ChunkSettings& chunks,
                      const std::stop_token& stop);

}  // namespace parley::retrieval::ingest
