#pragma once
// The keys of each kind of object in a tools file, in the order of config/tools.schema.json (a test compares
// them). Constant, any thread.

#include <cstdint>
#include <span>
#include <string_view>

namespace parley::orchestration::tools {

enum class ObjectKind : std::uint8_t {
  file,
  tool,
  http,
  sandbox,
  mcp_server,
  openapi,
  auth,
  discover,
  permission,
  limits,
};

std::span<const std::string_view> known_keys(ObjectKind kind);

// Keys of tools that do nothing for those of this kind: "command", "http", "builtin".
std::span<const std::string_view> idle_keys(std::string_view tool_kind);

// Its name among the schema's definitions; empty for the file itself.
std::string_view schema_name(ObjectKind kind);

}  // namespace parley::orchestration::tools
