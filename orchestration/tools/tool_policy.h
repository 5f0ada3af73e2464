#pragma once
// The operator's rules about which tools may run. A value; pure, any thread.

#include <vector>

#include "orchestration/tools/tool.h"
#include "orchestration/tools/tools_file.h"

namespace parley::orchestration::tools {

class ToolPolicy {
 public:
  ToolPolicy() = default;
  explicit ToolPolicy(std::vector<PermissionRule> rules) : rules_(std::move(rules)) {}

  // The most specific rule that matches: a name before a pattern, a longer pattern before a shorter one, "*"
  // of one source before "*" of all. Among equals the stricter, whoever wrote it: deny, ask, automatic. So no
  // pasted autoApprove outdoes an equal rule of "permissions". Without a rule: ask.
  Decision decide(const ToolSpec& spec) const;

 private:
  std::vector<PermissionRule> rules_;
};

}  // namespace parley::orchestration::tools
