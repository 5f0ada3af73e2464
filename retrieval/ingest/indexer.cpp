#include "retrieval/ingest/indexer.h"

#include <algorithm>
#include <set>
#include <thread>
#include <utility>

#include "retrieval/ingest/command_queue.h"
#include "retrieval/ingest/folder_state.h"
#include "retrieval/ingest/folder_walker.h"
#include "retrieval/ingest/outcome_writer.h"
#include "retrieval/ingest/status_board.h"

namespace parley::retrieval::ingest {
namespace {

using namespace std::chrono_literals;
using index::CollectionId;
using index::CollectionState;

constexpr int kQueueBatch = 32;
constexpr int kCleanUpRows = 2'000;
constexpr std::chrono::milliseconds kLongestSleep = 1s;  // files to be tried again come due without an event
constexpr auto kStatusInterval = 250ms;

std::int64_t now_ms() {
  return std::chrono::duration_cast<std::chrono::milliseconds>(
             std::chrono::system_clock::now().time_since_epoch())
      .count();
}

bool is_due(const FolderState& folder) { return folder.walk_at && *folder.walk_at <= Clock::now(); }

class LocalIndexer final : public Indexer {
 public:
  LocalIndexer(index::DocumentStore& store, IndexerOptions options)
      : store_(store),
        options_(std::move(options)),
        walker_(store, options_.private_folders, [this] { publish_now_and_then(); }),
        pool_(options_.num_readers, options_.make_worker, options_.chunks, [this] { commands_.wake(); }) {
    open_folders();
    publish();  // whoever asks at once is told
    thread_ = std::jthread([this](const std::stop_token& stop) { run(stop); });
  }

  index::Collection add(const index::CollectionSettings& settings) override {
    return commands_.call<index::Collection>([&] { return add_here(settings); });
  }
  void remove(CollectionId collection) override {
    commands_.call<void>([&] {
      store_.remove_collection(collection);
      std::erase_if(folders_, [&](const auto& folder) { return folder->collection.id == collection; });
      publish();
    });
  }
  void rescan(CollectionId collection, Deletions deletions) override {
    commands_.call<void>([&] {
      FolderState& folder = folder_of(collection);
      folder.deletions = deletions;
      folder.walk_at = Clock::now();
      publish();
    });
  }
  void set_paused(CollectionId collection, bool paused) override {
    commands_.call<void>([&] { set_paused_here(folder_of(collection), paused); });
  }
  std::vector<CollectionStatus> status() override { return board_.read(); }
  void write(const std::function<void()>& work) override { commands_.call<void>(work); }
  void wait_until_idle(CollectionId collection, std::stop_token stop) override {
    board_.wait_until_idle(collection, std::move(stop));
  }

 private:
  void run(const std::stop_token& stop);
  void loop(const std::stop_token& stop);
  void step(const std::stop_token& stop);
  void open_folders();
  // Each returns whether there was anything to do.
  bool walk_what_is_due(const std::stop_token& stop);
  bool take_outcomes();
  bool fill_pool();
  void walk(FolderState& folder, const std::set<std::string>& paths, const std::stop_token& stop);
  void start_watch(FolderState& folder);
  index::Collection add_here(const index::CollectionSettings& settings);
  void set_paused_here(FolderState& folder, bool paused);
  FolderState& folder_of(CollectionId collection);
  FolderState* find_folder(CollectionId collection);
  CollectionStatus status_of(FolderState& folder);
  Activity activity_of(const FolderState& folder) const;
  void publish();
  void publish_now_and_then();

  index::DocumentStore& store_;
  const IndexerOptions options_;
  FolderWalker walker_;
  CommandQueue commands_;
  StatusBoard board_;
  std::set<index::FileId> open_files_;         // in the pool
  std::set<CollectionId> collections_queued_;  // that may have files which wait for the pool
  bool may_have_rubbish_ = true;
  Clock::time_point published_at_{};
  std::vector<std::unique_ptr<FolderState>> folders_;  // their watches use commands_
  ReaderPool pool_;
  std::jthread thread_;  // last: it uses all of the above
};

void LocalIndexer::run(const std::stop_token& stop) {
  std::string failure = "Parley is ending.";
  try {
    loop(stop);
  } catch (const std::exception& error) {
    failure = error.what();
  }
  board_.end(failure);
  commands_.close(failure);
}

void LocalIndexer::loop(const std::stop_token& stop) {
  while (!stop.stop_requested()) {
    step(stop);
    const bool may_rest = !may_have_rubbish_ || !open_files_.empty();
    commands_.sleep(may_rest ? kLongestSleep : 0ms, stop);
  }
}

// What is published is counted in the store, so only after something has happened.
void LocalIndexer::step(const std::stop_token& stop) {
  bool happened = commands_.run_all();
  happened = walk_what_is_due(stop) || happened;
  happened = take_outcomes() || happened;
  happened = fill_pool() || happened;
  if (happened) publish();
  may_have_rubbish_ = may_have_rubbish_ || happened;
  if (may_have_rubbish_ && open_files_.empty()) may_have_rubbish_ = store_.clean_up(kCleanUpRows);
}

void LocalIndexer::open_folders() {
  for (auto& collection : store_.collections()) {
    auto folder = std::make_unique<FolderState>();
    folder->collection = std::move(collection);
    folder->rules.include = folder->collection.settings.include;
    folder->rules.exclude = folder->collection.settings.exclude;
    if (options_.watch && folder->collection.state != CollectionState::paused) folder->walk_at = Clock::now();
    collections_queued_.insert(folder->collection.id);
    folders_.push_back(std::move(folder));
  }
}

// The watch begins before the walk, so that nothing falls between.
void LocalIndexer::start_watch(FolderState& folder) {
  if (!options_.watch) return;
  scan::WatchEvents events;
  events.changed = [this, changes = folder.changes](std::vector<std::string> paths) {
    {
      const std::lock_guard lock(changes->mutex);
      changes->paths.insert(paths.begin(), paths.end());
    }
    commands_.wake();
  };
  events.lost = [this, changes = folder.changes] {
    {
      const std::lock_guard lock(changes->mutex);
      changes->everything = true;
    }
    commands_.wake();
  };
  events.root_gone = events.lost;
  events.moved = [](const std::string&, const std::string&) {};  // a rename is seen by what the file is
  try {
    folder.watch = scan::watch_folder(folder.collection.settings.root, folder.rules, events, {});
    folder.limitation = folder.watch->limitation();
  } catch (const std::exception& error) {
    folder.limitation = error.what();
  }
}

bool LocalIndexer::walk_what_is_due(const std::stop_token& stop) {
  bool walked = false;
  for (auto& entry : folders_) {
    FolderState& folder = *entry;
    if (folder.collection.state == CollectionState::paused) continue;
    std::set<std::string> paths;
    {
      const std::lock_guard lock(folder.changes->mutex);
      paths.swap(folder.changes->paths);
      if (std::exchange(folder.changes->everything, false)) folder.walk_at = Clock::now();
    }
    if (paths.empty() && !is_due(folder)) continue;
    walked = true;
    folder.walking = true;
    publish();
    walk(folder, paths, stop);
    folder.walking = false;
    collections_queued_.insert(folder.collection.id);
  }
  return walked;
}

// All of it where that is due, else what a watch has named.
void LocalIndexer::walk(FolderState& folder, const std::set<std::string>& paths,
                        const std::stop_token& stop) {
  if (!is_due(folder)) {
    walker_.walk_some(folder, {paths.begin(), paths.end()}, stop);
    return;
  }
  if (options_.watch && !folder.watch) start_watch(folder);
  folder.walk_at.reset();
  walker_.walk_all(folder, stop);
  const bool is_there = folder.collection.state != CollectionState::unavailable;
  if (!is_there) folder.watch.reset();
  if (!options_.watch) return;
  const bool is_followed = folder.watch && folder.watch->limitation().empty();
  folder.walk_at = Clock::now() + (is_followed ? options_.walk_interval : options_.unwatched_interval);
}

bool LocalIndexer::take_outcomes() {
  bool taken = false;
  while (const auto done = pool_.take()) {
    taken = true;
    open_files_.erase(done->job.file.id);
    write_outcome(store_, *done, now_ms());
    if (FolderState* folder = find_folder(done->job.file.collection)) folder->rate.count(Clock::now());
    publish_now_and_then();
  }
  return taken;
}

bool LocalIndexer::fill_pool() {
  if (options_.num_readers == 0 || pool_.num_open() > options_.num_readers) return false;
  bool filled = !collections_queued_.empty();
  collections_queued_.clear();
  for (auto& file : store_.next_files(now_ms(), kQueueBatch + static_cast<int>(open_files_.size()))) {
    const FolderState* folder = find_folder(file.collection);
    if (folder == nullptr || open_files_.contains(file.id)) continue;
    if (pool_.num_open() >= kQueueBatch) {
      collections_queued_.insert(file.collection);
      continue;
    }
    filled = true;
    open_files_.insert(file.id);
    pool_.submit({folder->collection.settings.root, std::move(file)});
  }
  return filled;
}

index::Collection LocalIndexer::add_here(const index::CollectionSettings& settings) {
  std::vector<FolderState*> others;
  for (auto& folder : folders_) others.push_back(folder.get());
  const std::string problem = folder_problem(settings, others, options_.private_folders);
  if (!problem.empty()) throw IndexError(problem);
  auto folder = std::make_unique<FolderState>();
  folder->collection = store_.add_collection(settings);
  folder->rules.include = settings.include;
  folder->rules.exclude = settings.exclude;
  folder->walk_at = Clock::now();
  start_watch(*folder);
  folders_.push_back(std::move(folder));
  publish();
  return folders_.back()->collection;
}

void LocalIndexer::set_paused_here(FolderState& folder, bool paused) {
  const bool is_paused = folder.collection.state == CollectionState::paused;
  if (paused == is_paused) return;
  const auto state = paused ? CollectionState::paused : CollectionState::active;
  const std::string reason = paused ? "Paused. What was indexed goes on answering." : "";
  store_.set_collection_state(folder.collection.id, state, reason);
  folder.collection.state = state;
  folder.collection.reason = reason;
  if (paused) {
    folder.watch.reset();
    folder.walk_at.reset();
  } else {
    start_watch(folder);
    folder.walk_at = Clock::now();
  }
  publish();
}

FolderState* LocalIndexer::find_folder(CollectionId collection) {
  const auto found = std::find_if(folders_.begin(), folders_.end(),
                                  [&](const auto& folder) { return folder->collection.id == collection; });
  return found == folders_.end() ? nullptr : found->get();
}

FolderState& LocalIndexer::folder_of(CollectionId collection) {
  if (FolderState* folder = find_folder(collection)) return *folder;
  throw IndexError("There is no such collection (any more).");
}

Activity LocalIndexer::activity_of(const FolderState& folder) const {
  const CollectionId id = folder.collection.id;
  if (folder.walking || is_due(folder)) return Activity::walking;
  if (folder.collection.state != CollectionState::active) return Activity::standing;
  return pool_.num_open(id) > 0 || collections_queued_.contains(id) ? Activity::reading : Activity::idle;
}

CollectionStatus LocalIndexer::status_of(FolderState& folder) {
  CollectionStatus status;
  status.collection = folder.collection;
  status.counts = store_.counts(folder.collection.id);
  status.activity = activity_of(folder);
  status.files_seen = folder.files_seen;
  status.passed_over = folder.passed_over;
  for (const auto& file : pool_.in_hand()) {
    if (file.collection == folder.collection.id) status.in_hand.push_back(file.path);
  }
  status.files_per_second = folder.rate.per_second(Clock::now());
  if (status.activity == Activity::reading && status.files_per_second > 0) {
    status.seconds_left = static_cast<double>(status.counts.queued) / status.files_per_second;
  }
  status.limitation = folder.limitation;
  return status;
}

void LocalIndexer::publish() {
  published_at_ = Clock::now();
  std::vector<CollectionStatus> statuses;
  for (auto& folder : folders_) statuses.push_back(status_of(*folder));
  board_.publish(std::move(statuses));
}

void LocalIndexer::publish_now_and_then() {
  if (Clock::now() - published_at_ >= kStatusInterval) publish();
}

}  // namespace

std::unique_ptr<Indexer> make_indexer(index::DocumentStore& store, IndexerOptions options) {
  return std::make_unique<LocalIndexer>(store, std::move(options));
}

}  // namespace parley::retrieval::ingest
