#pragma once
// What a shared network namespace leaves open and Landlock can close: abstract Unix sockets of the host, and
// signals to processes beyond our own. From kernel 6.12 on (Landlock ABI 6); older ones have no such means,
// and nothing is done.

namespace parley::orchestration::sandbox::keeper {

void scope_to_own_processes();

}  // namespace parley::orchestration::sandbox::keeper
