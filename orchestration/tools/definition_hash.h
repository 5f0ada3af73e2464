#pragma once
// The hash that approvals hang on: over everything that decides what a call does. Each part goes in with its
// length, so that no two definitions run together. One object per definition, one thread.

#include <string>
#include <string_view>
#include <vector>

#include "orchestration/tools/tool.h"
#include "orchestration/tools/tool_entries.h"

namespace parley::orchestration::tools {

class DefinitionHash {
 public:
  DefinitionHash& add(std::string_view part);
  DefinitionHash& add(const std::vector<std::string>& parts);
  DefinitionHash& add(const Launch& launch);  // words, environment, folder and fence
  // Name, description, parameters and source: what a model is told, and by whom.
  DefinitionHash& add(const ToolSpec& spec);

  std::string hex() const;  // 64 digits

 private:
  std::string bytes_;
};

}  // namespace parley::orchestration::tools
