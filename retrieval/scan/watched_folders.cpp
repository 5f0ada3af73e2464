#include "retrieval/scan/watched_folders.h"

#include <cerrno>
#include <system_error>
#include <utility>

#include "retrieval/scan/file_system.h"

namespace parley::retrieval::scan {

WatchedFolders::WatchedFolders(std::filesystem::path root, FolderRules rules, std::size_t max_watches)
    : root_(std::move(root)), rules_(std::move(rules)), max_watches_(max_watches) {}

void WatchedFolders::watch_all(const std::stop_token& stop) {
  by_watch_.clear();
  by_path_.clear();
  inotify_ = Inotify();
  without_watch_.clear();
  unwatchable_path_.clear();
  unwatchable_file_system_.clear();
  if (inotify_.is_open()) {
    watch_below("", stop);
  }
  set_limitation();
}

bool WatchedFolders::watch_below(const std::string& start, const std::stop_token& stop) {
  bool is_folder = false;
  TreeSink sink;
  sink.folder = [this, &is_folder](const EnteredFolder& folder) {
    is_folder = true;
    return watch(folder);
  };
  walk_tree(root_, start, rules_, sink, stop);
  set_limitation();
  return is_folder;
}

// Before the folder is read, so that nothing falls between.
bool WatchedFolders::watch(const EnteredFolder& folder) {
  if (const auto name = unwatchable_file_system(folder.handle.descriptor())) {
    unwatchable_path_ = folder.path;
    unwatchable_file_system_ = *name;
    return false;
  }
  const bool is_full = by_watch_.size() >= max_watches_ && !by_path_.contains(folder.path);
  const int watch =
      is_full ? -ENOSPC : inotify_.add(folder.path.empty() ? root_.string() : (root_ / folder.path).string());
  if (watch < 0) {
    if (watch == -ENOSPC) {  // else it went meanwhile
      without_watch_.insert(folder.path);
    }
    return true;
  }
  // A folder that was moved keeps its watch under another path.
  if (const auto known = by_watch_.find(watch); known != by_watch_.end()) {
    by_path_.erase(known->second.path);
  }
  if (const auto known = by_path_.find(folder.path); known != by_path_.end() && known->second != watch) {
    forget(known->second);
  }
  by_watch_[watch] = {.path = folder.path, .filter = folder.filter};
  by_path_[folder.path] = watch;
  return true;
}

void WatchedFolders::forget_below(const std::string& path) {
  std::vector<int> watches;
  if (const auto found = by_path_.find(path); found != by_path_.end()) {
    watches.push_back(found->second);
  }
  const std::string prefix = path.empty() ? "" : path + "/";
  std::erase_if(without_watch_,
                [&](const std::string& other) { return other == path || other.starts_with(prefix); });
  for (auto at = by_path_.lower_bound(prefix); at != by_path_.end() && at->first.starts_with(prefix); ++at) {
    watches.push_back(at->second);
  }
  for (const int watch : watches) {
    inotify_.remove(watch);
    forget(watch);
  }
  set_limitation();
}

void WatchedFolders::forget(int watch) {
  const auto found = by_watch_.find(watch);
  if (found == by_watch_.end()) {
    return;
  }
  if (const auto known = by_path_.find(found->second.path);
      known != by_path_.end() && known->second == watch) {
    by_path_.erase(known);
  }
  by_watch_.erase(found);
}

const WatchedFolder* WatchedFolders::find(int watch) const {
  const auto found = by_watch_.find(watch);
  return found == by_watch_.end() ? nullptr : &found->second;
}

std::string WatchedFolders::limitation() const {
  const std::lock_guard lock(mutex_);
  return limitation_;
}

void WatchedFolders::set_limitation() {
  const std::string looked_through = " is looked through at intervals instead.";
  std::string text;
  if (!inotify_.is_open()) {
    text = "The system gives no more watches (" + std::generic_category().message(inotify_.error()) +
           "), so the folder" + looked_through + " Raise fs.inotify.max_user_instances to change that.";
  } else if (!unwatchable_file_system_.empty()) {
    text = (unwatchable_path_.empty() ? std::string("The folder") : "“" + unwatchable_path_ + "”") +
           " lies on a file system that does not tell of changes (" + unwatchable_file_system_ + "), so it" +
           looked_through;
  }
  if (const std::size_t count = without_watch_.size(); count > 0) {
    text += (text.empty() ? "" : " ") + std::string("No watches are left for ") + std::to_string(count) +
            (count == 1 ? " folder" : " folders") + ", so the collection" + looked_through +
            " Raise fs.inotify.max_user_watches to change that.";
  }
  const std::lock_guard lock(mutex_);
  limitation_ = std::move(text);
}

}  // namespace parley::retrieval::scan
