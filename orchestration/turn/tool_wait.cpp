#include "orchestration/turn/tool_wait.h"

#include <algorithm>

namespace parley::orchestration::turn {
namespace {

namespace asio = boost::asio;
using Clock = std::chrono::steady_clock;

constexpr std::chrono::milliseconds kLook{100};  // between looks at the registry, which tells nobody

}  // namespace

bool waits_for_tools(const HubCore& core, const sessions::Conversation& conversation) {
  const ToolProfile profile = core.model.info().tool_profile;
  if (core.options.tools == nullptr || profile == ToolProfile::none) return false;
  const auto state = core.options.tools->state();
  if (state->starting.empty()) return false;
  const auto& names = conversation.settings.tools;
  if (!names) return profile == ToolProfile::native;
  return std::any_of(names->begin(), names->end(),
                     [&](const std::string& name) { return !state->tools.find(name); });
}

asio::awaitable<void> wait_for_tools(CorePtr core, LivePtr live, TurnPtr turn) {
  const auto deadline = turn->began + core->options.tool_patience;
  while (!turn->stop_requested && Clock::now() < deadline && waits_for_tools(*core, live->record)) {
    const Clock::time_point next_look = std::min<Clock::time_point>(deadline, Clock::now() + kLook);
    turn->waits_for_tools = true;
    co_await turn->changed.wait_until(next_look);
    turn->waits_for_tools = false;
  }
}

}  // namespace parley::orchestration::turn
