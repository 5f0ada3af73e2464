#pragma once
// Reads how a program is started: its words, environment, folder and fence. Used by command tools, stdio MCP
// servers and discovery. Reads envFile; problems go to the reader. Any thread that owns the reader.

#include <cstdint>
#include <string_view>

#include "orchestration/sandbox/program.h"
#include "orchestration/tools/entry_reader.h"
#include "orchestration/tools/tools_file.h"

namespace parley::orchestration::tools {

// What an entry that says nothing gets.
struct LaunchDefaults {
  sandbox::Network network = sandbox::Network::off;
  enum class Path : std::uint8_t {
    system,
    of_the_starter
  } path = Path::system;  // whoever starts it sets PATH
};

// `command_key`: a list of words, or one word, with "args" behind it. Refuses the entry where it is missing.
// Words that are absolute paths of something that exists may be read inside the fence.
Launch read_launch(EntryReader& reader, std::string_view command_key, const LaunchDefaults& defaults = {});

}  // namespace parley::orchestration::tools
