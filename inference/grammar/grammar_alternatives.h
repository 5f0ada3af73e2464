#pragma once
// How many places a text may be in at once where a choice begins. Pure, any thread, never fails; a step for
// each branch, at most `max` for each choice.

#include <cstddef>

#include "inference/grammar/grammar.h"

namespace parley::inference::grammar {

// Whether from `first_node` on some choice, with all choices in it, has more than `max` branches that are
// none.
bool has_more_alternatives(const Grammar& grammar, NodeId first_node, std::size_t max);

}  // namespace parley::inference::grammar
