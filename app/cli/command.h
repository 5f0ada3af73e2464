#pragma once
// The commands of the program, one source each. A command runs on the main thread and returns the exit
// status: 0 done, 1 failed, 2 used wrongly, 130 stopped by a signal. It throws UsageError for the last, any
// std::exception for the second.

#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

namespace parley::app::cli {

using Arguments = std::vector<std::string>;

class UsageError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

struct Command {
  std::string_view name;
  std::string_view summary;
  int (*run)(const Arguments& arguments);
};

int run_serve(const Arguments& arguments);
int run_generate(const Arguments& arguments);
int run_tokenize(const Arguments& arguments);
int run_render(const Arguments& arguments);
int run_inspect(const Arguments& arguments);
int run_tools(const Arguments& arguments);
int run_index(const Arguments& arguments);
int run_bench(const Arguments& arguments);

std::span<const Command> commands();

// Runs the command named first; prints help, errors and how to go on. Never throws.
int run_program(const Arguments& arguments);

}  // namespace parley::app::cli
