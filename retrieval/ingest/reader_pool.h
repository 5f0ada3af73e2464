#pragma once
// Threads that read files side by side, each with a worker program of its own. Jobs go in, outcomes come out
// in the order in which they end. submit and take belong to one thread; `ready` is called by the readers'
// threads.

#include <condition_variable>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <thread>
#include <vector>

#include "retrieval/ingest/file_reading.h"

namespace parley::retrieval::ingest {

struct FinishedJob {
  FileJob job;
  FileOutcome outcome;
};

using WorkerFactory = std::function<std::unique_ptr<documents::DocumentWorker>()>;

class ReaderPool {
 public:
  ReaderPool(int num_threads, WorkerFactory make_worker, ChunkSettings chunks, std::function<void()> ready);
  ~ReaderPool();  // ends what is being read, drops what waits, joins
  ReaderPool(const ReaderPool&) = delete;
  ReaderPool& operator=(const ReaderPool&) = delete;

  void submit(FileJob job);
  std::optional<FinishedJob> take();
  // Submitted and not taken.
  int num_open() const;
  int num_open(index::CollectionId collection) const;
  // What is being read at this moment.
  std::vector<index::FileRecord> in_hand() const;

 private:
  void run(const std::stop_token& stop, std::size_t slot);
  std::optional<FileJob> next_job(const std::stop_token& stop, std::size_t slot);

  const WorkerFactory make_worker_;
  const ChunkSettings chunks_;
  const std::function<void()> ready_;
  mutable std::mutex mutex_;
  std::condition_variable_any changed_;
  std::deque<FileJob> waiting_;
  std::deque<FinishedJob> finished_;
  std::vector<std::optional<index::FileRecord>> in_hand_;  // by thread
  std::map<index::CollectionId, int> num_open_;            // without zeros
  std::vector<std::jthread> threads_;                      // last: they use what is above
};

}  // namespace parley::retrieval::ingest
