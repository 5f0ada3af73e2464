#include "retrieval/ingest/folder_walker.h"

#include <algorithm>
#include <iterator>
#include <utility>

#include "retrieval/ingest/reconcile.h"

namespace parley::retrieval::ingest {
namespace {

using index::CollectionState;

constexpr std::int64_t kProgressFiles = 1'000;

bool is_below(const std::string& path, const std::string& folder) {
  return folder.empty() || path == folder ||
         (path.size() > folder.size() && path.compare(0, folder.size(), folder) == 0 &&
          path[folder.size()] == '/');
}

// Of paths that lie in one another only the outermost, ascending.
std::vector<std::string> outermost(std::vector<std::string> paths) {
  std::sort(paths.begin(), paths.end());
  std::vector<std::string> kept;
  for (auto& path : paths) {
    const bool covered =
        std::any_of(kept.begin(), kept.end(), [&](const auto& folder) { return is_below(path, folder); });
    if (!covered) kept.push_back(std::move(path));
  }
  return kept;
}

// The mount point of a drive that is gone is an empty folder on the file system around it.
bool lies_elsewhere(const FolderState& folder, const std::vector<index::FileRecord>& known) {
  const auto stamp = scan::stamp_of_root(folder.collection.settings.root);
  return stamp && !known.empty() && stamp->device != known.front().stamp.device;
}

}  // namespace

bool FolderWalker::is_private(const FolderState& folder, const std::string& path) const {
  const std::string whole = folder.collection.settings.root + "/" + path;
  return std::any_of(private_folders_.begin(), private_folders_.end(),
                     [&](const auto& hidden) { return is_below(whole, hidden); });
}

FolderWalker::Walked FolderWalker::walk(FolderState& folder, const std::string& start,
                                        const std::stop_token& stop) {
  Walked walked;
  scan::WalkSink sink;
  sink.file = [&](const scan::FoundFile& file) {
    if (is_private(folder, file.path)) return;
    walked.files.push_back(file);
    if (++folder.files_seen % kProgressFiles == 0) progress_();
  };
  sink.skipped = [&](const scan::SkippedPath& skipped) {
    ++folder.passed_over[skipped.reason];
    if (skipped.unreadable) walked.unreadable.push_back(skipped.path);
  };
  sink.folder = [](const std::string&) {};
  walked.end = scan::walk_folder(folder.collection.settings.root, start, folder.rules, sink, stop);
  return walked;
}

std::vector<index::FileRecord> FolderWalker::known_files(const FolderState& folder) const {
  std::vector<index::FileRecord> known;
  store_.for_each_file(folder.collection.id, [&](const index::FileRecord& file) { known.push_back(file); });
  return known;
}

void FolderWalker::set_state(FolderState& folder, CollectionState state, const std::string& reason) {
  if (folder.collection.state == state && folder.collection.reason == reason) return;
  store_.set_collection_state(folder.collection.id, state, reason);
  folder.collection.state = state;
  folder.collection.reason = reason;
}

void FolderWalker::walk_all(FolderState& folder, const std::stop_token& stop) {
  folder.files_seen = 0;
  folder.passed_over.clear();
  Walked walked = walk(folder, "", stop);
  if (walked.end == scan::WalkEnd::stopped) return;
  if (walked.end != scan::WalkEnd::complete) {
    const bool gone = walked.end == scan::WalkEnd::root_gone;
    set_state(folder, CollectionState::unavailable,
              folder.collection.settings.root + (gone ? " is not there" : " cannot be read") +
                  ". What was indexed goes on answering; nothing is removed until the folder is back.");
    return;
  }
  std::vector<index::FileRecord> known = known_files(folder);
  if (walked.files.empty() && lies_elsewhere(folder, known)) {
    set_state(
        folder, CollectionState::unavailable,
        folder.collection.settings.root +
            " is on another file system than before, and empty: is the drive "
            "mounted? What was indexed goes on answering; nothing is removed until the files are back.");
    return;
  }
  apply(folder, std::move(walked), std::move(known));
}

void FolderWalker::walk_some(FolderState& folder, const std::vector<std::string>& paths,
                             const std::stop_token& stop) {
  Walked found;
  const std::vector<std::string> starts = outermost(paths);
  for (const auto& start : starts) {
    Walked walked = walk(folder, start, stop);
    // The root itself went away, or we are ending: the next whole walk says what that means.
    if (walked.end != scan::WalkEnd::complete) return;
    std::move(walked.files.begin(), walked.files.end(), std::back_inserter(found.files));
    std::move(walked.unreadable.begin(), walked.unreadable.end(), std::back_inserter(found.unreadable));
  }
  std::vector<index::FileRecord> known = known_files(folder);
  std::erase_if(known, [&](const auto& file) {
    return std::none_of(starts.begin(), starts.end(),
                        [&](const auto& start) { return is_below(file.path, start); });
  });
  apply(folder, std::move(found), std::move(known));
}

void FolderWalker::apply(FolderState& folder, Walked found, std::vector<index::FileRecord> known) {
  std::erase_if(known, [&](const auto& file) {
    return std::any_of(found.unreadable.begin(), found.unreadable.end(),
                       [&](const auto& path) { return is_below(file.path, path); });
  });
  const Reconciliation what = reconcile(std::move(found.files), std::move(known));
  const auto num_known = static_cast<std::size_t>(store_.counts(folder.collection.id).files);
  for (const auto& rename : what.renames) store_.rename_file(rename.file, rename.path, rename.stamp);
  store_.queue_files(folder.collection.id, what.to_read);
  if (folder.deletions == Deletions::ask_when_many && is_mass_deletion(what.to_remove.size(), num_known)) {
    set_state(folder, CollectionState::asks_deletion,
              std::to_string(what.to_remove.size()) + " of " + std::to_string(num_known) +
                  " files are gone from the folder. Rescan with deletions confirmed to remove them here too, "
                  "or put "
                  "them back.");
    return;
  }
  store_.remove_files(what.to_remove);
  folder.deletions = Deletions::ask_when_many;
  set_state(folder, CollectionState::active, "");
}

}  // namespace parley::retrieval::ingest
