#pragma once
// What the worker program gives up before it sees a file. Each function is called once, by the only thread.
//
// Order: limit_resources, restrict_files, allow_calls. What is given up does not come back.

#include <cstdint>
#include <string>

namespace parley::retrieval::documents::worker {

struct ResourceLimits {
  std::uint64_t memory_bytes = 0;  // of address space; 0: no limit
  std::uint64_t cpu_seconds = 0;   // of the program's whole life
};

// rlimits (memory, processor time, descriptors, no file written, no process, no core), no new privileges, no
// tracing by others, and an end with the thread that started it. Empty: done; otherwise what failed.
std::string limit_resources(const ResourceLimits& limits);

enum class FileAccess {
  none,
  reference_data,  // poppler's character maps and the system's fonts, for reading
};

// Landlock, by system calls, since no library of the distribution has it. `none`: the kernel has no Landlock;
// then no file may be opened at all.
FileAccess restrict_files();

// seccomp: an allow-list. Anything else fails with EPERM; what only an attack would call (sockets, programs,
// processes, tracing) ends the program with SIGSYS. Empty: done; otherwise what failed.
std::string allow_calls(FileAccess files);

// Processor time for the next file: so much more than was used. Never above the limit for the whole life.
void allow_cpu_seconds(std::uint64_t seconds);

}  // namespace parley::retrieval::documents::worker
