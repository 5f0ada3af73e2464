#include "app/cli/command.h"

#include <array>
#include <iostream>

#include "app/cli/version.h"
#include "app/config/settings.h"
#include "inference/json/nearest_name.h"

namespace parley::app::cli {
namespace {

constexpr std::array<Command, 8> kCommands = {{
    {"serve", "start the chat server", run_serve},
    {"generate", "answer one prompt on the terminal", run_generate},
    {"tokenize", "text to token ids, or back", run_tokenize},
    {"render", "messages to the prompt text of a model", run_render},
    {"inspect", "what a model file holds", run_inspect},
    {"tools", "check and call the tools of a file", run_tools},
    {"index", "make folders searchable, and search them", run_index},
    {"bench", "measure prefill, decode and memory", run_bench},
}};

void print_help(std::ostream& out) {
  out << "parley " << kVersion
      << ", a chat server for language models\n\nusage: parley COMMAND [options]\n\n";
  for (const Command& command : kCommands) {
    out << "  " << command.name << std::string(12 - command.name.size(), ' ') << command.summary << "\n";
  }
  out << "\nparley COMMAND --help lists a command's options.\n";
}

const Command* find_command(std::string_view name) {
  for (const Command& command : kCommands) {
    if (command.name == name) return &command;
  }
  return nullptr;
}

int unknown_command(std::string_view name) {
  std::vector<std::string_view> names;
  names.reserve(std::size(kCommands));
  for (const Command& command : kCommands) names.push_back(command.name);
  const std::string_view near = inference::json::nearest_name(name, names);
  std::cerr << "parley: there is no command " << name;
  if (!near.empty()) std::cerr << "; did you mean " << near << "?";
  std::cerr << "\n\n";
  print_help(std::cerr);
  return 2;
}

// What a full disk or a closed output swallowed is a failure, whatever the command did.
int status_after_writing(int status) {
  std::cout.flush();
  if (std::cout || status != 0) return status;
  std::cerr << "parley: the output could not be written; is the disk full, or standard output closed?\n";
  return 1;
}

}  // namespace

std::span<const Command> commands() { return kCommands; }

int run_program(const Arguments& arguments) try {
  const std::string name = arguments.empty() ? "--help" : arguments.front();
  if (name == "--help" || name == "-h" || name == "help") {
    print_help(arguments.empty() ? std::cerr : std::cout);
    return arguments.empty() ? 2 : status_after_writing(0);
  }
  if (name == "--version") {
    std::cout << "parley " << kVersion << "\n";
    return status_after_writing(0);
  }
  const Command* command = find_command(name);
  if (command == nullptr) return unknown_command(name);
  return status_after_writing(command->run(Arguments(arguments.begin() + 1, arguments.end())));
} catch (const UsageError& error) {
  std::cerr << "parley: " << error.what() << "\n";
  return 2;
} catch (const config::ConfigError& error) {
  std::cerr << "parley: " << error.what() << "\n";
  return 2;
} catch (const std::exception& error) {
  std::cerr << "parley: " << error.what() << "\n";
  return 1;
}

}  // namespace parley::app::cli
