#pragma once
// Writes the plan that the keeper reads (launch_plan.h). Pure.

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "orchestration/sandbox/fence.h"
#include "orchestration/sandbox/program.h"
#include "orchestration/sandbox/tool_user.h"

namespace parley::orchestration::sandbox {

struct PlanParts {
  const Program& program;
  ToolUser user;
  std::filesystem::path home;                // as the program sees it
  std::vector<std::string> fence_arguments;  // empty: no fence
  std::vector<DeclaredPath> paths;
  std::string filter;
};

std::string plan_bytes(const PlanParts& parts);

}  // namespace parley::orchestration::sandbox
