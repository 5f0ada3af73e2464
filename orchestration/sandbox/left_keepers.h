#pragma once
// Keepers that were killed with all that they kept and had not ended when we stopped waiting. They are
// children of this process: somebody has to wait for them when they do end, or they stay as zombies. Any
// thread; never blocks, never fails.

#include <cstddef>

#include "orchestration/sandbox/descriptor.h"

namespace parley::orchestration::sandbox {

void leave_keeper(Descriptor keeper);  // its pidfd

// Waits for those that have ended; how many have not.
std::size_t reap_left_keepers();

}  // namespace parley::orchestration::sandbox
