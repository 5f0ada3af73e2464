#include "retrieval/ingest/outcome_writer.h"

#include <algorithm>
#include <array>

namespace parley::retrieval::ingest {
namespace {

using namespace std::chrono_literals;
using index::FileState;

constexpr std::array<std::chrono::milliseconds, 3> kRetries = {1min, 10min, 1h};
constexpr int kLongestDoubling = 6;

// A log that is written to all the time is read less and less often, once a minute at last.
std::chrono::milliseconds changed_delay(int attempts) {
  return 1s * (1 << std::clamp(attempts, 0, kLongestDoubling));
}

struct Writer {
  index::DocumentStore& store;
  const index::FileRecord& file;
  std::int64_t now_ms;

  void operator()(const index::FileCommit& commit) const { store.commit_file(commit); }
  void operator()(const Unchanged& unchanged) const { store.restamp_file(file.id, unchanged.stamp); }
  void operator()(const Gone&) const { store.remove_files(std::span(&file.id, 1)); }
  void operator()(const ReadAgain&) const {
    index::FileFailure failure;
    failure.state = FileState::queued;
    failure.reason = "It was changed while it was read.";
    failure.retry_at_ms = now_ms + changed_delay(file.attempts).count();
    store.fail_file(file.id, failure);
  }
  void operator()(const NotRead& problem) const {
    const auto delay = problem.passing ? retry_delay(file.attempts) : 0ms;
    index::FileFailure failure;
    failure.state = delay > 0ms ? FileState::queued : problem.state;
    failure.reason = problem.reason;
    failure.retry_at_ms = delay > 0ms ? now_ms + delay.count() : 0;
    failure.content = problem.content;
    failure.reader_version = documents::kReaderVersion;
    failure.drop_passages = problem.state == FileState::skipped;
    store.fail_file(file.id, failure);
  }
};

}  // namespace

std::chrono::milliseconds retry_delay(int attempts) {
  const auto index = static_cast<std::size_t>(std::max(attempts, 0));
  return index < kRetries.size() ? kRetries[index] : 0ms;
}

void write_outcome(index::DocumentStore& store, const FinishedJob& done, std::int64_t now_ms) {
  const auto now_stored = store.find_file(done.job.file.collection, done.job.file.path);
  if (!now_stored || now_stored->id != done.job.file.id) return;
  std::visit(Writer{store, *now_stored, now_ms}, done.outcome);
}

}  // namespace parley::retrieval::ingest
