#pragma once
// What a program could try to get out of its fence. Each attempt says whether it worked; the ones that change
// the machine would do it little harm.

#include <string>
#include <vector>

namespace parley::tests::hostile {

struct WayOut {
  const char* name;
  bool (*attempt)(const std::string& argument);  // what the argument is, is said at the attempt
};

std::vector<WayOut> ways_through_the_kernel();
std::vector<WayOut> ways_through_files();
std::vector<WayOut> ways_through_processes();

}  // namespace parley::tests::hostile
