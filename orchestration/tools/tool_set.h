#pragma once
// The tools that are there at one moment. Immutable, so any thread; a call that runs holds its tool and ends
// with the definition it began with, whatever the next set says.

#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "orchestration/tools/tool.h"

namespace parley::orchestration::tools {

// Shared: by the set, and by the calls that run beyond it.
using ToolPointer = std::shared_ptr<Tool>;

class ToolSet {
 public:
  ToolSet() = default;
  // Of tools with the same name the first stays; a name that no model can call is left out. Both are told.
  explicit ToolSet(const std::vector<ToolPointer>& tools);

  const std::vector<ToolPointer>& tools() const { return tools_; }  // by name: prompts stay the same
  ToolPointer find(std::string_view name) const;                    // nullptr: there is none
  std::string_view nearest(std::string_view name) const;            // for "unknown tool"; empty: none is near
  const std::vector<std::string>& skipped() const { return skipped_; }  // sentences

 private:
  std::vector<ToolPointer> tools_;
  std::map<std::string, ToolPointer, std::less<>> by_name_;
  std::vector<std::string> skipped_;
};

}  // namespace parley::orchestration::tools
