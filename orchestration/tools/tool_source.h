#pragma once
// Where tools come from: the file itself, MCP servers, descriptions. The registry asks each source in turn.

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "orchestration/tools/tool_set.h"
#include "orchestration/tools/tools_file.h"

namespace parley::orchestration::tools {

struct ToolOffer {
  std::vector<ToolPointer> tools;
  std::vector<ConfigIssue> issues;  // a server that cannot be reached, a description that cannot be read
  std::vector<std::string> starting = {};  // servers whose tools are not known yet, though nothing is wrong
  std::uint64_t version = 0;               // another number when something is other; 0: nothing offered yet
};

// Both functions are called by ToolRegistry::refresh only, one at a time, and must not block for long. They
// throw only where the process has run out of memory or threads; `configure` is then called again.
class ToolSource {
 public:
  virtual ~ToolSource() = default;
  // A new file: what it no longer names is shut down, what is the same stays. Calls that run go on.
  virtual void configure(const ToolsFile& file) = 0;
  virtual ToolOffer offer() = 0;
};

}  // namespace parley::orchestration::tools
