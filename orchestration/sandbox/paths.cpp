#include "orchestration/sandbox/paths.h"

#include <unistd.h>

#include <algorithm>

namespace parley::orchestration::sandbox {

namespace {

bool is_executable(const std::filesystem::path& path) {
  std::error_code error;
  return std::filesystem::is_regular_file(path, error) && ::access(path.c_str(), X_OK) == 0;
}

}  // namespace

bool lies_in(const std::filesystem::path& path, const std::filesystem::path& folder) {
  const auto [in_folder, in_path] = std::mismatch(folder.begin(), folder.end(), path.begin(), path.end());
  return in_folder == folder.end() || (in_folder->empty() && std::next(in_folder) == folder.end());
}

std::filesystem::path find_program(const std::string& name, std::string_view search_path) {
  if (name.find('/') != std::string::npos) return std::filesystem::path(is_executable(name) ? name : "");
  while (!search_path.empty()) {
    const std::size_t colon = search_path.find(':');
    std::filesystem::path candidate = std::filesystem::path(search_path.substr(0, colon)) / name;
    if (candidate.is_absolute() && is_executable(candidate)) return candidate;
    if (colon == std::string_view::npos) break;
    search_path.remove_prefix(colon + 1);
  }
  return {};
}

}  // namespace parley::orchestration::sandbox
