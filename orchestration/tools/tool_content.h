#pragma once
// Results as MCP writes them: {"content": [{"type": "text", …}, {"type": "image", …}], "structuredContent":
// …, "isError": …}. Pure, any thread; what cannot be read becomes a line of text that says so.

#include <cstddef>
#include <string>
#include <vector>

#include "inference/json/json.h"
#include "orchestration/tools/tool.h"

namespace parley::orchestration::tools {

// Text blocks are cleaned and joined by newlines; images (at most 8, of 8 MiB each) are decoded. A bare list
// of blocks is taken for the content.
ToolResult content_result(const inference::json::JsonValue& value, std::size_t max_text,
                          const std::vector<std::string>& secrets);

// The value with every string in it cleaned of control characters and secrets.
inference::json::JsonValue redacted_json(const inference::json::JsonValue& value,
                                         const std::vector<std::string>& secrets);

}  // namespace parley::orchestration::tools
