#include "orchestration/tools/tool_policy.h"

#include <cstddef>
#include <tuple>

#include "orchestration/tools/glob.h"

namespace parley::orchestration::tools {

Decision ToolPolicy::decide(const ToolSpec& spec) const {
  const auto rank = [](const PermissionRule& rule) {
    const std::size_t specificity = glob_specificity(rule.tool);
    const bool is_all_of_one_source = specificity == 0 && !rule.source.empty();
    return std::tuple(specificity, is_all_of_one_source, rule.decision);
  };
  const PermissionRule* best = nullptr;
  for (const PermissionRule& rule : rules_) {
    if (!rule.source.empty() && rule.source != spec.source) continue;
    if (!glob_matches(rule.tool, spec.name)) continue;
    if (best == nullptr || rank(rule) > rank(*best)) best = &rule;
  }
  return best == nullptr ? Decision::ask : best->decision;
}

}  // namespace parley::orchestration::tools
