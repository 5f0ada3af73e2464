#pragma once
// Finds schemas that apply themselves to the same value, for ever. A pure function, any thread.

#include <optional>
#include <vector>

#include "inference/json_schema/schema_index.h"

namespace parley::inference::json_schema {

// `applied_in_place[n]`: the nodes that node n applies to its own value. Some node of a cycle; nullopt: there
// is none. Linear, and without recursion.
std::optional<NodeId> find_endless_reference(const std::vector<std::vector<NodeId>>& applied_in_place);

}  // namespace parley::inference::json_schema
