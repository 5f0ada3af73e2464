#pragma once
// Which paths of the host a program gets, and where they lie inside. Looks at the file system, changes
// nothing. Any thread; throws nothing.

#include <filesystem>
#include <vector>

#include "orchestration/sandbox/program.h"

namespace parley::orchestration::sandbox {

inline constexpr char kHomeInside[] = "/home/tool";

struct DeclaredPath {
  std::filesystem::path source;
  std::filesystem::path destination;
  bool writable = false;
};

// A symbolic link that the fence makes.
struct DeclaredLink {
  std::filesystem::path place;
  std::filesystem::path target;  // without links
};

struct DeclaredPaths {
  std::vector<DeclaredPath> paths;
  std::vector<DeclaredLink> links;
};

// The program's file when it lies elsewhere than /usr, readable, writable, the kept home; each once, folders
// before what is in them. A file that is a link stays one, and what it leads to lies where it leads, as
// programs expect that look for their other files beside their own (node_modules/.bin). A path behind a link
// in a folder that is declared too lies where that link leads inside.
DeclaredPaths declared_paths(const Program& program);

}  // namespace parley::orchestration::sandbox
