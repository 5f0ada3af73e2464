#pragma once
// Which nodes of a grammar some finite text can complete. Pure, any thread, never fails; as many steps as
// there are nodes and members of nodes.

#include <vector>

#include "inference/grammar/grammar.h"

namespace parley::inference::grammar {

// By node.
std::vector<bool> find_completable(const Grammar& grammar);

}  // namespace parley::inference::grammar
