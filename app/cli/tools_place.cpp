#include "app/cli/tools_place.h"

#include <optional>
#include <system_error>

#include "app/cli/tool_box.h"
#include "app/cli/tool_reach.h"

namespace parley::app::cli {

ToolsPlace tools_place(const config::Config& config, const config::Environment& environment) {
  ToolsPlace place;
  const bool is_named = !config.tools_file.empty();
  const std::filesystem::path usual = default_tools_file(environment);
  std::error_code ignored;
  const bool is_there = is_named || std::filesystem::exists(usual, ignored);
  place.why_off = why_tools_are_off(config);
  if (place.why_off.empty() && !is_named && usual.empty()) {
    place.why_off =
        "neither XDG_CONFIG_HOME nor HOME is set, so there is no folder for tools.json; name a file with "
        "--tools (PARLEY_TOOLS)";
  }
  if (!place.why_off.empty()) {
    place.is_missed = is_there;
  } else {
    place.file = is_there
                     ? find_tools_file(is_named ? std::optional(config.tools_file.string()) : std::nullopt,
                                       environment)
                     : std::filesystem::absolute(usual);
  }
  return place;
}

}  // namespace parley::app::cli
