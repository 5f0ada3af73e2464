#include "retrieval/ingest/passage_embedder.h"

#include <algorithm>
#include <condition_variable>
#include <exception>
#include <set>
#include <utility>

namespace parley::retrieval::ingest {
namespace {

using namespace std::chrono_literals;

constexpr int kFeedBatch = 512;
constexpr std::size_t kEmbedBatch = 16;  // lost at most when the process is killed
constexpr auto kLookInterval = 300ms;

}  // namespace

PassageEmbedder::PassageEmbedder(index::DocumentStore& store, search::Embedder& embedder, StoreWriter write)
    : store_(store), embedder_(embedder), write_(std::move(write)), model_(embedder.fingerprint()) {
  thread_ = std::jthread([this](const std::stop_token& stop) { run(stop); });
}

EmbeddingProgress PassageEmbedder::progress() const {
  std::unique_lock lock(mutex_);
  EmbeddingProgress progress = progress_;
  progress.per_second = rate_.per_second(Clock::now());
  const index::FeedMark mark = mark_;
  lock.unlock();
  // What was committed a moment ago has not been looked at yet.
  progress.is_caught_up = progress.failure.empty() && store_.changes_since(mark, 1).added.empty();
  return progress;
}

// A boundary: a store or a model that fails ends the embedding, not the process; search goes on with what is
// there.
void PassageEmbedder::run(const std::stop_token& stop) {
  std::mutex mutex;
  std::condition_variable_any never;
  try {
    while (!stop.stop_requested()) {
      if (follow(stop)) continue;
      std::unique_lock lock(mutex);
      never.wait_for(lock, stop, kLookInterval, [] { return false; });
    }
  } catch (const std::exception& error) {
    const std::lock_guard lock(mutex_);
    progress_.failure = error.what();
  }
}

bool PassageEmbedder::follow(const std::stop_token& stop) {
  const index::PassageChanges changes = store_.changes_since(mark_, kFeedBatch);
  const Keys missing = missing_of(changes.added);
  for (std::size_t at = 0; at < missing.size(); at += kEmbedBatch) {
    if (stop.stop_requested()) return false;
    const auto first = missing.begin() + static_cast<std::ptrdiff_t>(at);
    embed({first, first + static_cast<std::ptrdiff_t>(std::min(kEmbedBatch, missing.size() - at))});
  }
  const std::lock_guard lock(mutex_);
  mark_ = changes.mark;
  progress_.done += static_cast<std::int64_t>(changes.added.size() - missing.size());
  return changes.more;
}

PassageEmbedder::Keys PassageEmbedder::missing_of(const Keys& keys) const {
  std::vector<index::TextHash> hashes;
  for (const auto& key : keys) hashes.push_back(key.text_hash);
  const auto known = store_.cached_vectors(model_, hashes);
  std::set<index::TextHash> met;
  Keys missing;
  for (std::size_t i = 0; i < keys.size(); ++i) {
    if (known[i].empty() && met.insert(keys[i].text_hash).second) missing.push_back(keys[i]);
  }
  return missing;
}

void PassageEmbedder::embed(const Keys& keys) {
  std::vector<index::PassageId> ids;
  for (const auto& key : keys) ids.push_back(key.id);
  std::vector<index::TextHash> hashes;
  std::vector<std::string> texts;
  for (auto& passage : store_.passages(ids)) {  // without those that went meanwhile
    hashes.push_back(passage.text_hash);
    texts.push_back(std::move(passage.text));
  }
  if (texts.empty()) return;
  const search::EmbeddedTexts embedded = embedder_.embed(texts, search::TextRole::passage);
  const std::ptrdiff_t dim = embedder_.dim();
  std::vector<std::vector<float>> vectors;
  for (auto row = embedded.rows.begin(); row != embedded.rows.end(); row += dim)
    vectors.emplace_back(row, row + dim);
  write_([&] { store_.cache_vectors(model_, hashes, vectors); });
  const std::lock_guard lock(mutex_);
  progress_.done += static_cast<std::int64_t>(texts.size());
  for (std::size_t i = 0; i < texts.size(); ++i) rate_.count(Clock::now());
}

}  // namespace parley::retrieval::ingest
