#include "retrieval/ingest/folder_state.h"

#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <system_error>

namespace parley::retrieval::ingest {
namespace {

namespace fs = std::filesystem;

bool lies_in(const fs::path& path, const fs::path& folder) {
  const auto [in_folder, in_path] = std::mismatch(folder.begin(), folder.end(), path.begin(), path.end());
  return in_folder == folder.end();
}

}  // namespace

std::string folder_problem(const index::CollectionSettings& settings, const std::vector<FolderState*>& others,
                           const std::vector<std::string>& private_folders) {
  const fs::path root(settings.root);
  std::error_code error;
  if (!root.is_absolute()) return settings.root + " is no absolute path.";
  if (!fs::is_directory(root, error)) {
    return error && error != std::errc::no_such_file_or_directory
               ? settings.root + " cannot be looked at (" + error.message() + ")."
               : settings.root + " is no folder. Name one that exists.";
  }
  if (::access(root.c_str(), R_OK | X_OK) != 0) {
    return "Parley may not read " + settings.root + ". Give its user access to the folder.";
  }
  for (const auto& folder : private_folders) {
    if (lies_in(root, folder)) return settings.root + " holds Parley's own data. Choose another folder.";
  }
  for (const auto* other : others) {
    const auto& there = other->collection.settings;
    if (there.name == settings.name)
      return "There is a collection \"" + there.name + "\" already. Choose another name.";
    if (there.root == settings.root)
      return settings.root + " is the collection \"" + there.name + "\" already.";
  }
  return "";
}

}  // namespace parley::retrieval::ingest
