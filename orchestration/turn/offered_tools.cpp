#include "orchestration/turn/offered_tools.h"

#include <algorithm>

namespace parley::orchestration::turn {
namespace {

bool is_switched_on(const sessions::ChatSettings& settings, ToolProfile profile, const std::string& name) {
  if (!settings.tools) return profile == ToolProfile::native;
  return std::find(settings.tools->begin(), settings.tools->end(), name) != settings.tools->end();
}

}  // namespace

ToolOffer offer_tools(HubCore& core, const sessions::Conversation& conversation) {
  ToolOffer offer;
  const ToolProfile profile = core.model.info().tool_profile;
  if (core.options.tools == nullptr || profile == ToolProfile::none) return offer;
  const auto state = core.options.tools->state();
  if (state->file) offer.max_calls = state->file->limits.max_parallel;
  for (const tools::ToolPointer& tool : state->tools.tools()) {
    const bool on = is_switched_on(conversation.settings, profile, tool->spec().name);
    if (!on) continue;
    const auto decision = core.options.tools->decide(tool->spec(), conversation.id);
    if (decision != tools::Decision::deny) offer.tools.push_back(tool);
  }
  return offer;
}

}  // namespace parley::orchestration::turn
