#include "retrieval/ingest/reader_pool.h"

#include <exception>
#include <utility>

namespace parley::retrieval::ingest {

ReaderPool::ReaderPool(int num_threads, WorkerFactory make_worker, ChunkSettings chunks,
                       std::function<void()> ready)
    : make_worker_(std::move(make_worker)),
      chunks_(chunks),
      ready_(std::move(ready)),
      in_hand_(static_cast<std::size_t>(num_threads)) {
  for (std::size_t slot = 0; slot < in_hand_.size(); ++slot) {
    threads_.emplace_back([this, slot](const std::stop_token& stop) { run(stop, slot); });
  }
}

ReaderPool::~ReaderPool() {
  for (auto& thread : threads_) thread.request_stop();
}

void ReaderPool::submit(FileJob job) {
  const std::lock_guard lock(mutex_);
  ++num_open_[job.file.collection];
  waiting_.push_back(std::move(job));
  changed_.notify_one();
}

std::optional<FinishedJob> ReaderPool::take() {
  const std::lock_guard lock(mutex_);
  if (finished_.empty()) return std::nullopt;
  FinishedJob done = std::move(finished_.front());
  finished_.pop_front();
  const auto open = num_open_.find(done.job.file.collection);
  if (--open->second == 0) num_open_.erase(open);
  return done;
}

int ReaderPool::num_open() const {
  const std::lock_guard lock(mutex_);
  int sum = 0;
  for (const auto& [collection, count] : num_open_) sum += count;
  return sum;
}

int ReaderPool::num_open(index::CollectionId collection) const {
  const std::lock_guard lock(mutex_);
  const auto open = num_open_.find(collection);
  return open == num_open_.end() ? 0 : open->second;
}

std::vector<index::FileRecord> ReaderPool::in_hand() const {
  const std::lock_guard lock(mutex_);
  std::vector<index::FileRecord> files;
  for (const auto& file : in_hand_) {
    if (file) files.push_back(*file);
  }
  return files;
}

std::optional<FileJob> ReaderPool::next_job(const std::stop_token& stop, std::size_t slot) {
  std::unique_lock lock(mutex_);
  in_hand_[slot].reset();
  if (!changed_.wait(lock, stop, [this] { return !waiting_.empty(); })) return std::nullopt;
  FileJob job = std::move(waiting_.front());
  waiting_.pop_front();
  in_hand_[slot] = job.file;
  return job;
}

// The tool-runner's kind of boundary: what goes wrong around a file (no memory, a worker that cannot be
// started) is that file's reason, and the thread goes on.
void ReaderPool::run(const std::stop_token& stop, std::size_t slot) {
  std::unique_ptr<documents::DocumentWorker> worker;
  while (std::optional<FileJob> job = next_job(stop, slot)) {
    FileOutcome outcome = ReadAgain{};
    try {
      if (!worker) worker = make_worker_();
      outcome = read_file(*job, *worker, chunks_, stop);
    } catch (const std::exception& error) {
      worker.reset();
      outcome = NotRead{index::FileState::failed, error.what(), true, {}};
    }
    if (stop.stop_requested()) return;
    {
      const std::lock_guard lock(mutex_);
      finished_.push_back({std::move(*job), std::move(outcome)});
    }
    ready_();
  }
}

}  // namespace parley::retrieval::ingest
