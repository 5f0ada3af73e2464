#include <gtest/gtest.h>
#include <iostream>
#include "tests/orchestration/sandbox/sandbox_run.h"
using namespace parley::orchestration::sandbox;
using namespace parley::tests;
using namespace std::chrono_literals;
TEST(Try, it) {
  std::cout << "problem: " << fence_problem() << std::endl;
  for (Fence f : {Fence::bubblewrap, Fence::none}) {
  auto r = run_program(program_of({"sh","-c","id; env; pwd; ls -la /proc/self/fd; ulimit -a; umask; ls -la ~; cat /proc/self/status | grep -iE 'secc|nonew'; exit 3"}, f), within(5s));
  std::cout << (int)r.end << " " << r.code << "\n" << r.output << "\n" << r.error << std::endl;
  auto t = std::chrono::steady_clock::now();
  r = run_program(program_of({"sleep", "10"}, f), within(300ms));
  std::cout << (int)r.end << " " << r.code << " " << (std::chrono::steady_clock::now() - t) / 1ms << std::endl;
  t = std::chrono::steady_clock::now();
  r = run_program(program_of({"true", "10"}, f), within(3000ms));
  std::cout << (int)r.end << " " << r.code << " " << (std::chrono::steady_clock::now() - t) / 1ms << std::endl;
  }
}
