#pragma once
// The processes below the keeper, found in /proc. The keeper is their subreaper, so whoever loses its parent,
// by setsid and double fork too, becomes a child of the keeper. One thread; a process that ends meanwhile is
// passed over.

#include <sys/types.h>

namespace parley::orchestration::sandbox::keeper {

// SIGKILL to the direct children. Repeated until there are none, this reaches the whole tree.
void kill_children();

// A signal to all processes at least `depth` steps below the keeper (1: children).
void signal_below(int depth, int signal_number);

// How many threads run under the real user id.
long count_tasks_of(uid_t user);

}  // namespace parley::orchestration::sandbox::keeper
