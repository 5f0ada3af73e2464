// Prints what fence_problem says where it is started: for tests that start it in crippled surroundings.

#include <cstdio>

#include "orchestration/sandbox/run_program.h"

int main() {
  std::puts(parley::orchestration::sandbox::fence_problem().c_str());
  return 0;
}
