#include "orchestration/tools/tool_set.h"

#include "inference/json/json_writer.h"
#include "inference/json/nearest_name.h"
#include "orchestration/tools/tool_name.h"

namespace parley::orchestration::tools {

ToolSet::ToolSet(const std::vector<ToolPointer>& tools) {
  for (const ToolPointer& tool : tools) {
    const ToolSpec& spec = tool->spec();
    // Written as JSON: a name may hold anything, and this goes to a terminal.
    const std::string shown =
        inference::json::to_json_text(inference::json::JsonValue(std::string_view(spec.name))) + " from " +
        spec.source;
    if (!is_tool_name(spec.name)) {
      skipped_.push_back(shown + " is left out: a name is 1 to 64 of A-Z a-z 0-9 _ -");
      continue;
    }
    const auto [place, fresh] = by_name_.emplace(spec.name, tool);
    if (!fresh) {
      skipped_.push_back(shown + " is left out: there is one of that name from " +
                         place->second->spec().source + " already; rename one of them");
    }
  }
  for (const auto& [name, tool] : by_name_) tools_.push_back(tool);
}

ToolPointer ToolSet::find(std::string_view name) const {
  const auto found = by_name_.find(name);
  return found == by_name_.end() ? nullptr : found->second;
}

std::string_view ToolSet::nearest(std::string_view name) const {
  std::vector<std::string_view> names;
  for (const auto& [known, tool] : by_name_) names.push_back(known);
  return inference::json::nearest_name(name, names);
}

}  // namespace parley::orchestration::tools
