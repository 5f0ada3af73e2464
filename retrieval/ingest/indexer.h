#pragma once
// Keeps collections as their folders are: walks them, follows their changes, has new and changed files read
// and commits them, takes away what is gone. It has one thread, the only one that writes to the store.
//
// All methods may be called from any thread; those that change something return when it is done and throw
// storage::sqlite::StoreError, or IndexError for what the caller can mend. A failure of the store inside the
// thread ends it: `status` then says why.

#include <chrono>
#include <functional>
#include <memory>
#include <stdexcept>
#include <stop_token>
#include <string>
#include <vector>

#include "retrieval/index/document_store.h"
#include "retrieval/ingest/collection_status.h"
#include "retrieval/ingest/reader_pool.h"

namespace parley::retrieval::ingest {

class IndexError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

enum class Deletions { ask_when_many, are_meant };

struct IndexerOptions {
  WorkerFactory make_worker;
  ChunkSettings chunks;
  int num_readers = 1;  // 0: what waits to be read goes on waiting
  // Look at every folder at the beginning and follow its changes until the end. Off for a program that does
  // one thing: then only folders that are added or rescanned are looked at.
  bool watch = true;
  std::chrono::minutes walk_interval{10};
  std::chrono::minutes unwatched_interval{1};  // where the file system tells no changes
  std::vector<std::string> private_folders;    // absolute: the data folder; never indexed
};

class Indexer {
 public:
  virtual ~Indexer() = default;  // finishes the commit it is at, joins

  // Checks the folder and begins to walk it.
  virtual index::Collection add(const index::CollectionSettings& settings) = 0;
  virtual void remove(index::CollectionId collection) = 0;
  virtual void rescan(index::CollectionId collection, Deletions deletions) = 0;
  virtual void set_paused(index::CollectionId collection, bool paused) = 0;
  virtual std::vector<CollectionStatus> status() = 0;
  // Runs work on the thread that writes to the store, and returns when it is done.
  virtual void write(const std::function<void()>& work) = 0;
  // Until nothing of it waits to be walked or read, it cannot go on (paused, folder gone), or `stop`. Files
  // that are to be tried again later are not waited for.
  virtual void wait_until_idle(index::CollectionId collection, std::stop_token stop) = 0;
};

// The store outlives the indexer.
std::unique_ptr<Indexer> make_indexer(index::DocumentStore& store, IndexerOptions options);

}  // namespace parley::retrieval::ingest
