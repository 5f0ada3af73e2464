// Ways out of a fence: intruder NAME [ARGUMENT]. Exit status 0: it got out; 1: refused; 64: no such way.
// `intruder list` prints the names.

#include <stdio.h>

#include <string_view>

#include "tests/orchestration/sandbox/hostile/ways_out.h"

using parley::tests::hostile::WayOut;

int main(int argc, char** argv) {
  const std::string_view wanted = argc > 1 ? argv[1] : "";
  for (const auto& ways :
       {parley::tests::hostile::ways_through_the_kernel(), parley::tests::hostile::ways_through_files(),
        parley::tests::hostile::ways_through_processes()}) {
    for (const WayOut& way : ways) {
      if (wanted == "list") printf("%s\n", way.name);
      if (wanted == way.name) return way.attempt(argc > 2 ? argv[2] : "") ? 0 : 1;
    }
  }
  return wanted == "list" ? 0 : 64;
}
