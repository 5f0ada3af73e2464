#pragma once
// A folder on disk to be walked and watched. Throws std::filesystem::filesystem_error.

#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <map>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

#include "retrieval/scan/folder_walk.h"
#include "tests/fakes/temp_directory.h"

namespace parley::retrieval::scan {

class SampleTree {
 public:
  SampleTree() { std::filesystem::create_directory(root()); }

  std::filesystem::path root() const { return directory_.path() / "root"; }
  std::filesystem::path outside() const { return directory_.path(); }
  std::filesystem::path at(std::string_view path) const { return root() / path; }

  // Makes the folders above it too; a path that ends in '/' is a folder.
  void add(std::string_view path, std::string_view text = "text") const {
    if (path.ends_with('/')) {
      std::filesystem::create_directories(at(path.substr(0, path.size() - 1)));
      return;
    }
    std::filesystem::create_directories(at(path).parent_path());
    std::ofstream(at(path)) << text;
  }
  void add_all(const std::vector<std::string>& paths) const {
    for (const std::string& path : paths) {
      add(path);
    }
  }
  void remove(std::string_view path) const { std::filesystem::remove_all(at(path)); }
  void move(std::string_view from, std::string_view to) const { std::filesystem::rename(at(from), at(to)); }

 private:
  tests::fakes::TempDirectory directory_;
};

struct Walked {
  std::vector<std::string> files;
  std::vector<std::string> folders;
  std::map<std::string, std::string> skipped;  // path -> reason
  std::vector<std::string> unreadable;
  WalkEnd end = WalkEnd::complete;
};

inline Walked walked(const std::filesystem::path& root, const FolderRules& rules = {},
                     const std::string& start = "") {
  Walked result;
  WalkSink sink;
  sink.file = [&result](const FoundFile& file) { result.files.push_back(file.path); };
  sink.folder = [&result](const std::string& folder) { result.folders.push_back(folder); };
  sink.skipped = [&result](const SkippedPath& path) {
    result.skipped[path.path] = path.reason;
    if (path.unreadable) {
      result.unreadable.push_back(path.path);
    }
  };
  result.end = walk_folder(root, start, rules, sink, {});
  return result;
}

// Root may read everything: while it lives the process is nobody.
class AsNobody {
 public:
  AsNobody() : was_root_(::geteuid() == 0) {
    if (was_root_ && ::seteuid(65'534) != 0) {
      was_root_ = false;
    }
  }
  ~AsNobody() {
    if (was_root_ && ::seteuid(0) != 0) {
      std::abort();
    }
  }
  AsNobody(const AsNobody&) = delete;
  AsNobody& operator=(const AsNobody&) = delete;

 private:
  bool was_root_;
};

}  // namespace parley::retrieval::scan
