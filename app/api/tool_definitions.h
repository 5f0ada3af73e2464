#pragma once
// The field `tools`: definitions of tools that the client runs. A plain function, any thread; problems are
// noted in the reader.

#include <cstddef>
#include <memory>
#include <string_view>
#include <vector>

#include "app/protocol/field_reader.h"
#include "orchestration/tools/tool.h"

namespace parley::app::api {

inline constexpr std::size_t kMaxClientTools = 128;        // in a request
inline constexpr std::size_t kMaxToolBytes = 1024 * 1024;  // of JSON, all tools together

using ToolList = std::vector<std::shared_ptr<orchestration::tools::Tool>>;  // shared as in ToolOffer

ToolList read_tool_definitions(protocol::FieldReader& fields);

bool has_tool(const ToolList& tools, std::string_view name);

}  // namespace parley::app::api
