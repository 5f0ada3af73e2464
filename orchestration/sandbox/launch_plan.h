#pragma once
// What Parley and its keeper (keeper/keeper.cpp, a program of its own) say to each other. Both are built from
// this header, so layouts agree. Plain values.
//
// The plan is one sealed memory file: PlanHeader, then strings that each end with NUL (the argument vector,
// the environment, the argument vector of the fence, the working directory, the paths), then the seccomp
// filter.

#include <cstdint>

namespace parley::orchestration::sandbox {

// Descriptors of the keeper, beside the program's own 0, 1 and 2.
enum KeeperDescriptor : int {
  report_descriptor = 3,   // Reports come out
  control_descriptor = 4,  // kTerminate goes in; its end means: kill everything
  plan_descriptor = 5,
  keeper_descriptor = 6,      // the keeper's own file, started once more inside the fence
  first_data_descriptor = 7,  // files whose content bubblewrap is given
};

inline constexpr char kTerminate = 'T';
inline constexpr char kStagingFolder[] = "/tmp";  // in the keeper's own mount namespace

struct PlanHeader {
  std::uint32_t user = 0;  // 0: stay who we are
  std::uint32_t group = 0;
  std::uint32_t fenced = 0;
  std::uint32_t processes = 0;
  std::uint32_t open_files = 0;
  std::uint32_t measure_data = 0;  // 1: memory_bytes is private data, 0: address space
  std::uint64_t memory_bytes = 0;
  std::uint64_t file_bytes = 0;
  std::uint64_t processor_seconds = 0;
  std::uint32_t num_arguments = 0;
  std::uint32_t num_variables = 0;
  std::uint32_t num_fence_arguments = 0;
  std::uint32_t num_paths = 0;  // each begins with r or w: what the program needs to do with it
  std::uint32_t filter_bytes = 0;
  std::int32_t niceness = 0;  // of Parley, and so of the program; the keeper may run before both
};

enum class Step : std::uint32_t { plan, stage, fork, user, limits, path, fence, directory, filter, program };

struct Report {
  enum class Kind : std::uint32_t {
    entered,  // the program is about to be executed
    failed,   // `step` failed with errno `value`; `index` is the path's number
    ended     // the program has ended with wait status `value`
  };
  Kind kind = Kind::failed;
  Step step = Step::plan;
  std::int32_t value = 0;
  std::uint32_t index = 0;
};

}  // namespace parley::orchestration::sandbox
