#pragma once
// What the parser knows of the tools that were offered: their names, and of which types their arguments are.
// Immutable after construction, any thread. Never fails: what a schema does not say is any type.

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "inference/json/json.h"

namespace parley::orchestration::calls {

struct OfferedTool {
  std::string name;
  inference::json::JsonObject parameters;  // JSON Schema, an object
};

// A set of JSON types.
enum class TypeSet : std::uint8_t {
  none = 0,
  null = 1,
  integer = 2,
  number = 4,
  boolean = 8,
  object = 16,
  array = 32,
  string = 64,
  any = 127,
};

constexpr TypeSet operator|(TypeSet a, TypeSet b) {
  return static_cast<TypeSet>(static_cast<unsigned>(a) | static_cast<unsigned>(b));
}
constexpr TypeSet operator&(TypeSet a, TypeSet b) {
  return static_cast<TypeSet>(static_cast<unsigned>(a) & static_cast<unsigned>(b));
}
constexpr bool has_type(TypeSet set, TypeSet type) {
  return (static_cast<unsigned>(set) & static_cast<unsigned>(type)) != 0;
}

class ToolSchemas {
 public:
  explicit ToolSchemas(std::vector<OfferedTool> tools) : tools_(std::move(tools)) {}

  bool empty() const { return tools_.empty(); }
  const std::vector<OfferedTool>& tools() const { return tools_; }
  bool offers(std::string_view name) const { return find(name) != nullptr; }

  // Of a tool's argument; of one that the schema does not name, a string.
  TypeSet types_of(std::string_view tool, std::string_view argument) const;

  // Name of the argument that stands at this place in the schema.
  std::optional<std::string> argument_at(std::string_view tool, std::size_t position) const;

 private:
  const OfferedTool* find(std::string_view name) const;
  const inference::json::JsonObject* properties_of(std::string_view tool) const;

  std::vector<OfferedTool> tools_;
};

// A raw value of a tagged format as JSON: null, integer, number, boolean, object, array in this order as far
// as `types` allow, else a string.
std::string typed_json(std::string_view raw, TypeSet types);

}  // namespace parley::orchestration::calls
