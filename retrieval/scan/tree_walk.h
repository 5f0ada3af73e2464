#pragma once
// The walk behind walk_folder and the watch: it hands out each folder open, with the filter for what is in
// it. One walk, one thread. Holds at most about 32 descriptors, however deep the tree is.

#include <filesystem>
#include <functional>
#include <memory>
#include <stop_token>
#include <string>

#include "retrieval/scan/folder_filter.h"
#include "retrieval/scan/folder_handle.h"
#include "retrieval/scan/folder_walk.h"

namespace parley::retrieval::scan {

struct EnteredFolder {
  const std::string& path;  // "" is the root
  const FolderHandle& handle;
  const std::shared_ptr<const FolderFilter>& filter;
};

// Functions may be empty; without `file`, files are not looked at.
struct TreeSink {
  std::function<void(const FoundFile&)> file;
  std::function<void(const SkippedPath&)> skipped;
  // Before anything in it is looked at; false: nothing in it is.
  std::function<bool(const EnteredFolder&)> folder;
};

WalkEnd walk_tree(const std::filesystem::path& root, const std::string& start, const FolderRules& rules,
                  const TreeSink& sink, const std::stop_token& stop);

}  // namespace parley::retrieval::scan
