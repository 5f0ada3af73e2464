// parley tools: the tools of a file, checked, called by hand, and what they were called for.

#include <array>
#include <iostream>

#include "app/cli/command.h"
#include "app/cli/tools_commands.h"

namespace parley::app::cli {
namespace {

constexpr std::array<Command, 4> kSubcommands = {{
    {"check", "what a tools file gives, and what is wrong with it", run_tools_check},
    {"call", "run one tool with its real limits", run_tools_call},
    {"log", "what tools were called, and how it ended", run_tools_log},
    {"approvals", "what people have always allowed, and taking it back", run_tools_approvals},
}};

void print_tools_help(std::ostream& out) {
  out << "usage: parley tools COMMAND [options]\n\n";
  for (const Command& command : kSubcommands) {
    out << "  " << command.name << std::string(12 - command.name.size(), ' ') << command.summary << "\n";
  }
  out << "\nparley tools COMMAND --help lists a command's options.\n";
}

}  // namespace

int run_tools(const Arguments& arguments) {
  if (!arguments.empty()) {
    for (const Command& command : kSubcommands) {
      if (command.name == arguments.front())
        return command.run(Arguments(arguments.begin() + 1, arguments.end()));
    }
    if (arguments.front() == "--help" || arguments.front() == "-h") {
      print_tools_help(std::cout);
      return 0;
    }
    throw UsageError("there is no command tools " + arguments.front() +
                     "; there are check, call, log and approvals");
  }
  print_tools_help(std::cerr);
  return 2;
}

}  // namespace parley::app::cli
