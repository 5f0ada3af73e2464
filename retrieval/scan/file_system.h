#pragma once
// What lies on which file system. Values and pure look-ups, any thread.

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>

namespace parley::retrieval::scan {

// Mount points below a root as they are when this is made.
class MountTable {
 public:
  explicit MountTable(const std::filesystem::path& root);
  MountTable(std::string_view mountinfo, const std::string& root);  // proc_pid_mountinfo(5)'s text

  // The type of the file system that is mounted at `path` (relative to the root); none: none was.
  std::optional<std::string> type_at(const std::string& path) const;

 private:
  void read(std::string_view mountinfo, const std::string& root);
  std::unordered_map<std::string, std::string> types_;
};

// proc, sysfs and their like: files that are no files.
bool is_made_by_kernel(std::string_view type);

// Whether changes that others make are told of: not on network and FUSE file systems. `descriptor` is open on
// it. The file system's name where they are not.
std::optional<std::string_view> unwatchable_file_system(int descriptor);
std::optional<std::string_view> unwatchable_magic(unsigned long magic);  // statfs(2)'s f_type

// Btrfs gives each subvolume a device of its own without mounting it.
bool is_btrfs(int descriptor);

}  // namespace parley::retrieval::scan
