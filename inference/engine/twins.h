#pragma once
// Twins: a waiting request whose next missing block is just being computed by a running one. Letting it wait
// means that conversations with a common prefix that start together compute it once.
//
// Lives on the engine thread. Cannot fail.

#include <memory>
#include <span>

#include "inference/engine/sequence.h"

namespace parley::inference::engine {

// Whether `waiting`, which would hit `hit_blocks` blocks now, should wait on. Asked once a step. The wait is
// bounded: it ends when the producer has made no progress for `patience` steps.
bool should_wait_for_twin(Sequence& waiting, int hit_blocks,
                          std::span<const std::unique_ptr<Sequence>> running, int patience);

}  // namespace parley::inference::engine
