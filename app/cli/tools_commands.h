#pragma once
// The commands of `parley tools`, one source each. Main thread; fail as command.h says.

#include "app/cli/command.h"

namespace parley::app::cli {

int run_tools_check(const Arguments& arguments);
int run_tools_call(const Arguments& arguments);
int run_tools_log(const Arguments& arguments);
int run_tools_approvals(const Arguments& arguments);

}  // namespace parley::app::cli
