#pragma once
// What an operator has to know of programs that have the network. Pure; any thread.

#include <string>

#include "orchestration/tools/tools_file.h"

namespace parley::app::cli {

// A line that names the programs of the file which can reach Parley's own port, and so do what a person can
// there, and says what to do; empty: there are none. For a server that asks for no key.
std::string network_warning(const orchestration::tools::ToolsFile& file);

}  // namespace parley::app::cli
