// Another process that runs programs: for tests that cripple its surroundings or kill it.
//   other_parley                     prints what fence_problem says
//   other_parley FENCE MARKER        runs a program that leaves children and never ends

#include <cstdio>
#include <string_view>

#include "tests/orchestration/sandbox/sandbox_run.h"

int main(int argc, char** argv) {
  using namespace parley::orchestration::sandbox;
  if (argc < 3) {
    std::puts(fence_problem().c_str());
    return 0;
  }
  const Fence fence = std::string_view(argv[1]) == "none" ? Fence::none : Fence::bubblewrap;
  Program program =
      parley::tests::shell("setsid sleep 600 & trap '' TERM; while :; do sleep 600; done", fence);
  program.environment["MARKER"] = argv[2];
  parley::tests::run(program);
  return 0;
}
