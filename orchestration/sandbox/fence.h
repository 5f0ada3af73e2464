#pragma once
// The argument vector of bubblewrap for a program: a root built up from nothing. Pure but for looking which
// links and folders this machine has beside /usr. Any thread; throws nothing.

#include <filesystem>
#include <string>
#include <vector>

#include "orchestration/sandbox/program.h"
#include "orchestration/sandbox/tool_user.h"

namespace parley::orchestration::sandbox {

inline constexpr char kHomeInside[] = "/home/tool";
inline constexpr char kDefaultSearchPath[] = "/usr/local/bin:/usr/bin:/bin";

// A path of the host that the program gets.
struct DeclaredPath {
  std::filesystem::path source;
  std::filesystem::path destination;
  bool writable = false;
};

struct FenceCommand {
  std::vector<std::string> arguments;  // of bubblewrap, without its name and without the program
  std::vector<std::string> data;  // contents; the arguments name descriptors from first_data_descriptor + 1
};

// The program's file when it lies elsewhere than /usr, readable, writable, the kept home; each once, folders
// before what is in them.
std::vector<DeclaredPath> declared_paths(const Program& program);

// `paths` in the order of declared_paths, which is how the keeper numbers the staged ones.
FenceCommand fence_command(const Program& program, const std::vector<DeclaredPath>& paths,
                           const ToolUser& user);

}  // namespace parley::orchestration::sandbox
