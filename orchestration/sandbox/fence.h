#pragma once
// The argument vector of bubblewrap for a program: a root built up from nothing. Pure but for looking which
// links and folders this machine has beside /usr. Any thread; throws nothing.

#include <string>
#include <vector>

#include "orchestration/sandbox/declared_paths.h"
#include "orchestration/sandbox/program.h"
#include "orchestration/sandbox/tool_user.h"

namespace parley::orchestration::sandbox {

inline constexpr char kDefaultSearchPath[] = "/usr/local/bin:/usr/bin:/bin";

struct FenceCommand {
  std::vector<std::string> arguments;  // of bubblewrap, without its name and without the program
  std::vector<std::string> data;  // contents; the arguments name descriptors from first_data_descriptor + 1
};

// The paths stand in the order in which the keeper numbers the staged ones.
FenceCommand fence_command(const Program& program, const DeclaredPaths& declared, const ToolUser& user);

}  // namespace parley::orchestration::sandbox
