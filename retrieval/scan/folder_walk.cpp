#include "retrieval/scan/folder_walk.h"

#include "retrieval/scan/folder_handle.h"
#include "retrieval/scan/tree_walk.h"

namespace parley::retrieval::scan {

// The parameter is the seam's: a caller hands over a token of its own.
WalkEnd walk_folder(const std::filesystem::path& root, const std::string& start, const FolderRules& rules,
                    const WalkSink& sink,
                    std::stop_token stop) {  // NOLINT(performance-unnecessary-value-param)
  TreeSink tree_sink;
  tree_sink.file = [&sink](const FoundFile& file) {
    if (sink.file) {
      sink.file(file);
    }
  };
  tree_sink.skipped = sink.skipped;
  tree_sink.folder = [&sink](const EnteredFolder& folder) {
    if (sink.folder) {
      sink.folder(folder.path);
    }
    return true;
  };
  return walk_tree(root, start, rules, tree_sink, stop);
}

std::optional<FileStamp> stamp_of_root(const std::filesystem::path& root) {
  const FolderHandle handle = FolderHandle::open_root(root);
  const auto status = handle.is_open() ? handle.stat_self() : std::nullopt;
  return status ? std::optional(stamp_of(*status)) : std::nullopt;
}

}  // namespace parley::retrieval::scan
