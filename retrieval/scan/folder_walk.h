#pragma once
// Walks a folder and tells of every wanted file, and of what was passed over and why. One walk, one thread.
//
// Never follows a symbolic link out of the root (one that stays inside is passed over too: its target is met
// by itself), never opens what is no regular file, stays on the root's file system unless the folder is a
// mount point below it that was there at the start. Paths are bytes. Folders come before what is in them, and
// all in the order of their names.
//
// Nothing is thrown but by the sink; what goes wrong in one place is told and the walk goes on.

#include <filesystem>
#include <functional>
#include <optional>
#include <stop_token>
#include <string>

#include "retrieval/scan/file_stamp.h"
#include "retrieval/scan/ignore_rules.h"

namespace parley::retrieval::scan {

struct FoundFile {
  std::string path;  // relative to the root, '/' between its parts
  FileStamp stamp;
};

struct SkippedPath {
  std::string path;
  std::string reason;  // "ignored by docs/.gitignore", "larger than 100 MB", "permission denied"
  // It could not be read now: what was known of it, and of all below it, is to be kept, since it may be there
  // still. False: it is not wanted, nor anything below it.
  bool unreadable = false;
};

// Functions may be empty.
struct WalkSink {
  std::function<void(const FoundFile&)> file;
  std::function<void(const SkippedPath&)> skipped;
  std::function<void(const std::string&)> folder;  // each one that was entered, "" for the root
};

enum class WalkEnd { complete, stopped, root_gone, root_unreadable };

// Below `start` (relative to root, "" for all of it); a `start` that is a file is told by itself, one that is
// not there tells nothing.
WalkEnd walk_folder(const std::filesystem::path& root, const std::string& start, const FolderRules& rules,
                    const WalkSink& sink, std::stop_token stop);

// Of the root itself. A device other than before means that another file system lies there now: where a
// mounted one went, an empty folder is left, and its files are not to be taken for deleted.
std::optional<FileStamp> stamp_of_root(const std::filesystem::path& root);

}  // namespace parley::retrieval::scan
