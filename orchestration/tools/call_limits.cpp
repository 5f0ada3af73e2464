#include "orchestration/tools/call_limits.h"

#include <algorithm>

namespace parley::orchestration::tools {

void limit_call(CallContext& context, const ToolSpec& spec, const ToolLimits& limits,
                std::chrono::steady_clock::time_point now) {
  context.timeout = spec.timeout.value_or(limits.call_timeout);
  context.deadline =
      now + (spec.progress_extends ? std::max(context.timeout, limits.loop_wall_time) : context.timeout);
}

}  // namespace parley::orchestration::tools
