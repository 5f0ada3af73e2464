#pragma once
// Which tools file a server uses, or why it uses none. A plain function, any thread; throws
// std::runtime_error where the file that was named is not there.

#include <filesystem>
#include <string>

#include "app/config/config.h"
#include "app/config/load_config.h"

namespace parley::app::cli {

struct ToolsPlace {
  // Of `--tools`, else the user's own, which need not be there yet: it is read once it is. Empty: tools are
  // off.
  std::filesystem::path file;
  std::string why_off;     // then: a clause, with what to do
  bool is_missed = false;  // then: somebody has written a file, which is not used
};

ToolsPlace tools_place(const config::Config& config, const config::Environment& environment);

}  // namespace parley::app::cli
