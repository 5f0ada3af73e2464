#include "retrieval/scan/tree_walk.h"

#include <dirent.h>

#include <algorithm>
#include <cerrno>
#include <string_view>
#include <system_error>
#include <utility>
#include <vector>

#include "retrieval/scan/file_system.h"

namespace parley::retrieval::scan {
namespace {

constexpr std::size_t kMostOpenFolders = 32;
constexpr std::size_t kMaxPathBytes = 4'000;  // the system opens none above 4,096
constexpr std::size_t kMaxIgnoreBytes = std::size_t{256} << 10;
constexpr const char* kIsLink = "a symbolic link";
constexpr const char* kIsSpecial = "no regular file but a pipe, a socket or a device";

std::string shown_size(std::size_t bytes) {
  constexpr std::size_t kMegabyte = std::size_t{1} << 20;
  return bytes % kMegabyte == 0 ? std::to_string(bytes / kMegabyte) + " MB"
                                : std::to_string(bytes) + " bytes";
}

std::string shown_error(int error) {
  return error == EACCES || error == EPERM ? "permission denied" : std::generic_category().message(error);
}

unsigned char type_of(const struct stat& status) {
  return S_ISDIR(status.st_mode)   ? DT_DIR
         : S_ISREG(status.st_mode) ? DT_REG
         : S_ISLNK(status.st_mode) ? DT_LNK
                                   : DT_FIFO;
}

std::vector<std::string> parts_of(std::string_view path) {
  std::vector<std::string> parts;
  while (!path.empty()) {
    const std::size_t end = std::min(path.find('/'), path.size());
    if (end > 0) {
      parts.emplace_back(path.substr(0, end));
    }
    path.remove_prefix(std::min(end + 1, path.size()));
  }
  return parts;
}

class TreeWalk {
 public:
  TreeWalk(const std::filesystem::path& root, const FolderRules& rules, const TreeSink& sink,
           const std::stop_token& stop)
      : root_(root), rules_(rules), sink_(sink), stop_(stop), mounts_(root) {}

  WalkEnd run(const std::string& start) {
    if (const WalkEnd end = open_root(); end != WalkEnd::complete) {
      return end;
    }
    const std::vector<std::string> parts = parts_of(start);
    if (parts.empty()) {
      read_level();
      if (root_error_ != 0) {
        return WalkEnd::root_unreadable;
      }
    } else {
      go_down(parts);
    }
    while (!levels_.empty() && !stop_.stop_requested()) {
      if (Level& level = levels_.back(); level.next < level.folders.size()) {
        enter(level.folders[level.next++], Reading::whole);
      } else {
        leave();
      }
    }
    if (stop_.stop_requested()) {
      return WalkEnd::stopped;
    }
    const auto now = root_handle_.stat_self();
    return now && now->st_nlink > 0 ? WalkEnd::complete : WalkEnd::root_gone;
  }

 private:
  enum class Reading { whole, only_rules };

  // A folder that was entered and is not done with.
  struct Level {
    FolderHandle handle;  // closed while the walk is far below
    struct stat status {};
    std::size_t path_size = 0;  // of its path in path_
    std::shared_ptr<const FolderFilter> filter;
    std::vector<std::string> folders;  // in it, wanted
    std::size_t next = 0;
  };

  WalkEnd open_root() {
    root_handle_ = FolderHandle::open_root(root_);
    FolderHandle handle = root_handle_.is_open() ? root_handle_.open_child(".") : FolderHandle();
    const int error = root_handle_.is_open() ? handle.error() : root_handle_.error();
    if (!handle.is_open()) {
      return error == ENOENT || error == ENOTDIR ? WalkEnd::root_gone : WalkEnd::root_unreadable;
    }
    push(std::move(handle), std::make_shared<const FolderFilter>(rules_));
    return WalkEnd::complete;
  }

  // To the folder that holds the start; folders on the way are judged, not read.
  void go_down(const std::vector<std::string>& parts) {
    for (std::size_t at = 0; at + 1 < parts.size(); ++at) {
      const std::size_t depth = levels_.size();
      if (is_wanted_folder(parts[at])) {
        enter(parts[at], Reading::only_rules);
      }
      if (levels_.size() == depth) {
        return;
      }
    }
    const std::string& name = parts.back();
    if (name != "." && name != "..") {
      take({.name = name, .type = DT_UNKNOWN});
    }
  }

  void push(FolderHandle handle, const std::shared_ptr<const FolderFilter>& outer) {
    const auto git_ignore = rules_file(handle, kGitIgnore);
    const auto own_ignore = rules_file(handle, kOwnIgnore);
    Level level;
    level.status = handle.stat_self().value_or(level.status);
    level.handle = std::move(handle);
    level.path_size = path_.size();
    level.filter = FolderFilter::inside(outer, path_, git_ignore, own_ignore);
    levels_.push_back(std::move(level));
    if (levels_.size() > kMostOpenFolders) {
      levels_[levels_.size() - kMostOpenFolders - 1].handle.close();
    }
  }

  std::string rules_file(const FolderHandle& handle, const char* name) {
    if (auto text = handle.read_child(name, kMaxIgnoreBytes)) {
      return std::move(*text);
    }
    if (const auto status = handle.stat_child(name); status && S_ISREG(status->st_mode)) {
      skip(path_to(name), "this ignore file cannot be read or is too long: its rules do not hold");
    }
    return {};
  }

  void read_level() {
    Level& level = levels_.back();
    if (sink_.folder && !sink_.folder({.path = path_, .handle = level.handle, .filter = level.filter})) {
      return;
    }
    int error = 0;
    const auto entries = level.handle.list(error);
    if (!entries) {
      root_error_ = levels_.size() == 1 ? error : 0;
      skip_unreadable(path_, shown_error(error));
      return;
    }
    for (const FolderHandle::Entry& entry : *entries) {
      if (stop_.stop_requested()) {
        return;
      }
      take(entry);
    }
  }

  // What is in the folder at the end of levels_.
  void take(const FolderHandle::Entry& entry) {
    unsigned char type = entry.type;
    if (type == DT_UNKNOWN) {
      const auto status = levels_.back().handle.stat_child(entry.name.c_str());
      if (!status) {
        skip_vanished(path_to(entry.name), errno);
        return;
      }
      type = type_of(*status);
    }
    if (type == DT_DIR) {
      if (is_wanted_folder(entry.name)) {
        levels_.back().folders.push_back(entry.name);
      }
    } else if (sink_.file) {
      take_file(entry.name, type);
    }
  }

  bool is_wanted_folder(const std::string& name) {
    const std::string path = path_to(name);
    const Level& level = levels_.back();
    const auto reason =
        level.filter->refusal({.path = path, .kind = PathKind::folder, .folder = level.handle.descriptor()});
    if (reason) {
      skip(path, *reason);
    }
    return !reason && name != "." && name != "..";
  }

  void take_file(const std::string& name, unsigned char type) {
    if (name == kGitIgnore || name == kOwnIgnore) {
      return;  // rules are no documents
    }
    const std::string path = path_to(name);
    const Level& level = levels_.back();
    if (type != DT_REG) {
      skip(path, type == DT_LNK ? kIsLink : kIsSpecial);
    } else if (const auto reason = level.filter->refusal({.path = path, .kind = PathKind::file})) {
      skip(path, *reason);
    } else if (path.size() > kMaxPathBytes) {
      skip(path, "its path is too long to be opened");
    } else if (const auto status = level.handle.stat_child(name.c_str()); !status) {
      skip_vanished(path, errno);
    } else if (!S_ISREG(status->st_mode)) {
      skip(path, S_ISLNK(status->st_mode) ? kIsLink : kIsSpecial);
    } else if (static_cast<std::size_t>(status->st_size) > level.filter->max_file_bytes()) {
      skip(path, "larger than " + shown_size(level.filter->max_file_bytes()));
    } else {
      sink_.file({.path = path, .stamp = stamp_of(*status)});
    }
  }

  void enter(const std::string& name, Reading reading) {
    const std::string path = path_to(name);
    const Level& outer = levels_.back();
    if (path.size() > kMaxPathBytes) {
      skip(path, "its path is too long to be opened");
      return;
    }
    FolderHandle handle = outer.handle.open_child(name.c_str());
    if (!handle.is_open()) {
      if (handle.error() == ELOOP || handle.error() == ENOTDIR) {
        skip(path, kIsLink);
      } else {
        skip_vanished(path, handle.error());
      }
      return;
    }
    if (const auto reason = foreign_file_system(handle, outer, path)) {
      skip(path, *reason);
      return;
    }
    path_ = path;
    const std::shared_ptr<const FolderFilter> filter = outer.filter;
    push(std::move(handle), filter);
    if (reading == Reading::whole) {
      read_level();
    }
  }

  std::optional<std::string> foreign_file_system(const FolderHandle& handle, const Level& outer,
                                                 const std::string& path) const {
    if (const auto type = mounts_.type_at(path)) {
      return is_made_by_kernel(*type) ? std::optional("a folder that the system makes up (" + *type + ")")
                                      : std::nullopt;
    }
    const auto status = handle.stat_self();
    const bool is_same = !status || status->st_dev == outer.status.st_dev;
    if (is_same || (is_btrfs(handle.descriptor()) && is_btrfs(outer.handle.descriptor()))) {
      return std::nullopt;
    }
    return "on another file system, which was mounted meanwhile";
  }

  void leave() {
    const FolderHandle inner = std::move(levels_.back().handle);
    levels_.pop_back();
    if (levels_.empty()) {
      return;
    }
    Level& level = levels_.back();
    path_.resize(level.path_size);
    if (level.handle.is_open()) {
      return;
    }
    level.handle = inner.is_open() ? inner.open_parent() : FolderHandle();
    if (level.next == level.folders.size()) {  // nothing left to do but to find its own outer one
      return;
    }
    if (!is_still(level)) {
      level.handle = opened_from_root();
    }
    if (!is_still(level)) {  // what of it was not read yet may be elsewhere
      level.handle.close();
      level.next = level.folders.size();
      skip_unreadable(path_, "it was moved while it was read");
    }
  }

  static bool is_still(const Level& level) {
    const auto status = level.handle.is_open() ? level.handle.stat_self() : std::nullopt;
    return status && is_same_file(*status, level.status);
  }

  FolderHandle opened_from_root() const {
    FolderHandle handle = root_handle_.open_child(".");
    for (const std::string& part : parts_of(path_)) {
      handle = handle.is_open() ? handle.open_child(part.c_str()) : FolderHandle();
    }
    return handle;
  }

  std::string path_to(const std::string& name) const { return path_.empty() ? name : path_ + "/" + name; }

  void skip(const std::string& path, const std::string& reason) const {
    if (sink_.skipped) {
      sink_.skipped({.path = path, .reason = reason});
    }
  }
  void skip_unreadable(const std::string& path, const std::string& reason) const {
    if (sink_.skipped) {
      sink_.skipped({.path = path, .reason = reason, .unreadable = true});
    }
  }
  void skip_vanished(const std::string& path, int error) const {
    if (error != ENOENT && error != ENOTDIR) {
      skip_unreadable(path, shown_error(error));
    }
  }

  const std::filesystem::path& root_;
  const FolderRules& rules_;
  const TreeSink& sink_;
  const std::stop_token& stop_;
  const MountTable mounts_;
  FolderHandle root_handle_;
  std::vector<Level> levels_;  // from the root to where the walk is
  std::string path_;           // of the last of them
  int root_error_ = 0;
};

}  // namespace

WalkEnd walk_tree(const std::filesystem::path& root, const std::string& start, const FolderRules& rules,
                  const TreeSink& sink, const std::stop_token& stop) {
  return TreeWalk(root, rules, sink, stop).run(start);
}

}  // namespace parley::retrieval::scan
