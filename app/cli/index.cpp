// parley index: folders of documents, made searchable and searched.

#include <array>
#include <iostream>

#include "app/cli/command.h"
#include "app/cli/index_commands.h"

namespace parley::app::cli {
namespace {

constexpr std::array<Command, 8> kSubcommands = {{
    {"add", "make a folder searchable", run_index_add},
    {"list", "the collections, and how far they are", run_index_list},
    {"status", "one collection, and which files could not be read", run_index_status},
    {"rescan", "look through a folder again", run_index_rescan},
    {"pause", "leave a collection as it is", run_index_pause},
    {"resume", "go on with it", run_index_resume},
    {"remove", "forget a collection; its files stay", run_index_remove},
    {"search", "the passages that fit a question", run_index_search},
}};

void print_index_help(std::ostream& out) {
  out << "usage: parley index COMMAND [options]\n\n";
  for (const Command& command : kSubcommands) {
    out << "  " << command.name << std::string(12 - command.name.size(), ' ') << command.summary << "\n";
  }
  out << "\nparley index COMMAND --help lists a command's options.\n";
}

}  // namespace

int run_index(const Arguments& arguments) {
  if (arguments.empty()) {
    print_index_help(std::cerr);
    return 2;
  }
  for (const Command& command : kSubcommands) {
    if (command.name == arguments.front())
      return command.run(Arguments(arguments.begin() + 1, arguments.end()));
  }
  if (arguments.front() != "--help" && arguments.front() != "-h") {
    throw UsageError("there is no command index " + arguments.front() + "; parley index --help lists them");
  }
  print_index_help(std::cout);
  return 0;
}

}  // namespace parley::app::cli
