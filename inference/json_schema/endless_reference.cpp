#include "inference/json_schema/endless_reference.h"

namespace parley::inference::json_schema {
namespace {

std::vector<std::size_t> count_uses(const std::vector<std::vector<NodeId>>& applied_in_place) {
  std::vector<std::size_t> uses(applied_in_place.size());
  for (const auto& targets : applied_in_place) {
    for (const NodeId target : targets) ++uses[target];
  }
  return uses;
}

// A node that is left may only be used by a cycle, but it has a user that is left as well: as many steps back
// as there are nodes lead onto the cycle.
NodeId walk_onto_cycle(const std::vector<std::vector<NodeId>>& applied_in_place,
                       const std::vector<std::size_t>& uses) {
  std::vector<NodeId> user(uses.size());
  NodeId node = 0;
  for (NodeId from = 0; from < uses.size(); ++from) {
    if (uses[from] == 0) continue;
    node = from;
    for (const NodeId target : applied_in_place[from]) user[target] = from;
  }
  for (std::size_t i = 0; i < uses.size(); ++i) node = user[node];
  return node;
}

}  // namespace

std::optional<NodeId> find_endless_reference(const std::vector<std::vector<NodeId>>& applied_in_place) {
  // Takes away nodes that nothing (left) applies; what stays lies on a cycle or behind one.
  std::vector<std::size_t> uses = count_uses(applied_in_place);
  std::vector<NodeId> unused;
  for (NodeId node = 0; node < uses.size(); ++node) {
    if (uses[node] == 0) unused.push_back(node);
  }
  std::size_t taken = 0;
  for (; taken < unused.size(); ++taken) {
    for (const NodeId target : applied_in_place[unused[taken]]) {
      if (--uses[target] == 0) unused.push_back(target);
    }
  }
  if (taken == uses.size()) return std::nullopt;
  return walk_onto_cycle(applied_in_place, uses);
}

}  // namespace parley::inference::json_schema
