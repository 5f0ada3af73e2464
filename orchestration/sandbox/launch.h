#pragma once
// Starts the keeper of one program (keeper/keeper.cpp) and holds what leads to it. One thread. The program's
// own start may still fail: that comes as a report.

#include <string>
#include <vector>

#include "orchestration/sandbox/descriptor.h"
#include "orchestration/sandbox/fence.h"
#include "orchestration/sandbox/launch_plan.h"
#include "orchestration/sandbox/program.h"
#include "orchestration/sandbox/tool_user.h"

namespace parley::orchestration::sandbox {

struct Launch {
  std::string problem;  // not empty: nothing was started
  ToolUser user;
  DeclaredPaths declared;  // a report's index counts the paths
  Descriptor keeper;       // pidfd: readable when all is over; to be waited for
  Descriptor control;      // kTerminate; closing it kills everything
  Descriptor reports;      // this one and the streams are non-blocking
  Descriptor input;
  Descriptor output;
  Descriptor error;
};

// `home` is where the program's home is when there is no fence.
Launch launch(const Program& program, const std::filesystem::path& home);

// What a report of failure means, and what to do.
std::string failure_text(const Report& report, const Program& program, const Launch& launch);

}  // namespace parley::orchestration::sandbox
