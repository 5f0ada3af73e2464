#pragma once
// Programs of the build beside or above the test's own. Found at run time: no absolute path is compiled in.

#include <filesystem>
#include <string>

namespace parley::retrieval::documents {

inline std::filesystem::path built_program(const std::string& name) {
  std::filesystem::path folder = std::filesystem::read_symlink("/proc/self/exe").parent_path();
  for (int i = 0; i < 6; ++i, folder = folder.parent_path()) {
    if (std::filesystem::exists(folder / name)) return folder / name;
  }
  return name;
}

}  // namespace parley::retrieval::documents
