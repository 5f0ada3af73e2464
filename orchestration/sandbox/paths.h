#pragma once
// Questions about paths. They look at the file system, change nothing; any thread, throw nothing.

#include <filesystem>
#include <string>
#include <string_view>
#include <system_error>
#include <vector>

namespace parley::orchestration::sandbox {

// By whole components: /a/b lies in /a and in /a/b, /ab does not lie in /a. Both absolute, without dots.
bool lies_in(const std::filesystem::path& path, const std::filesystem::path& folder);

// Belongs to the system as a whole, or reaches out of the fence: /, /etc, /home, all of /proc, /sys, /dev, ….
// For absolute paths without links.
bool is_of_the_system(const std::filesystem::path& path);

// What a path leads to in the end.
struct RealPath {
  std::filesystem::path path;  // without links
  std::filesystem::path
      planted;            // not empty: this link on the way lies in a folder that programs may write to
  std::error_code error;  // it leads nowhere
};

// `changeable`: where programs may write, so that a link there may have been put in by one of them.
RealPath real_path(const std::filesystem::path& path, const std::vector<std::filesystem::path>& changeable);

// The executable file that `name` means, as execvp finds it; empty: there is none.
std::filesystem::path find_program(const std::string& name, std::string_view search_path);

}  // namespace parley::orchestration::sandbox
