#pragma once
// The folders below a root that inotify watches. One thread at a time, limitation() any thread.

#include <cstddef>
#include <filesystem>
#include <map>
#include <memory>
#include <mutex>
#include <set>
#include <stop_token>
#include <string>
#include <unordered_map>
#include <vector>

#include "retrieval/scan/folder_filter.h"
#include "retrieval/scan/inotify.h"
#include "retrieval/scan/tree_walk.h"

namespace parley::retrieval::scan {

struct WatchedFolder {
  std::string path;                            // "" is the root
  std::shared_ptr<const FolderFilter> filter;  // of what is in it
};

class WatchedFolders {
 public:
  WatchedFolders(std::filesystem::path root, FolderRules rules, std::size_t max_watches);

  // All of them anew, with no event of before left.
  void watch_all(const std::stop_token& stop);
  // `start` and what is below it, with the ignore files as they are now. False: it is no wanted folder.
  bool watch_below(const std::string& start, const std::stop_token& stop);
  void forget_below(const std::string& path);  // and itself
  void forget(int watch);

  const WatchedFolder* find(int watch) const;
  const Inotify& inotify() const { return inotify_; }
  // Why some or all are not watched, a sentence; empty: all are.
  std::string limitation() const;

 private:
  bool watch(const EnteredFolder& folder);
  void set_limitation();

  const std::filesystem::path root_;  // without symbolic links
  const FolderRules rules_;
  const std::size_t max_watches_;
  Inotify inotify_;
  std::unordered_map<int, WatchedFolder> by_watch_;
  std::map<std::string, int> by_path_;  // the same ones

  std::set<std::string> without_watch_;  // none was left for them
  std::string unwatchable_path_;         // on a file system that tells nothing
  std::string unwatchable_file_system_;  // its name
  mutable std::mutex mutex_;             // of limitation_
  std::string limitation_;
};

}  // namespace parley::retrieval::scan
