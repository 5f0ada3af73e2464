#pragma once
// How a stdio server's entry in the tools file becomes a program behind the fence: clean environment, a
// private home that is kept, and of the file system only what its command and arguments name. A plain
// function that looks at the file system; any thread; never fails (what is not there is not bound).

#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "orchestration/sandbox/program.h"

namespace parley::orchestration::mcp {

struct StdioEntry {
  std::string name;                                    // of the server: its home is named after it
  std::vector<std::string> argv;                       // command and arguments, variables filled in
  std::map<std::string, std::string> environment;      // the entry's own
  std::filesystem::path working_directory;             // empty: the private home
  std::vector<std::filesystem::path> readable;         // besides what the arguments name
  std::vector<std::filesystem::path> writable;         // the entry's `write`
  std::vector<std::filesystem::path> hidden = {};      // files with secrets of the operator
  std::vector<std::filesystem::path> changeable = {};  // where programs of other entries may write
  sandbox::Fence fence = sandbox::Fence::bubblewrap;
  sandbox::Network network = sandbox::Network::on;
};

// Of the machine; passed in, so that a test can have its own.
struct Surroundings {
  std::filesystem::path data_folder;                  // Parley's: no server sees more of it than its own home
  std::string search_path;                            // $PATH
  std::filesystem::path user_home;                    // never bound as a whole
  std::filesystem::path config_folder = {};           // Parley's: seen where an entry names something in it
  std::vector<std::filesystem::path> own_files = {};  // Parley's, wherever they lie: never seen
};

struct StdioProfile {
  sandbox::Program program;
  std::vector<std::string> notes;  // what was not bound, and why; for people
};

// DATA/mcp-homes/NAME, with odd characters replaced; not made here.
std::filesystem::path stdio_home(const std::filesystem::path& data_folder, const std::string& server);

StdioProfile make_stdio_profile(const StdioEntry& entry, const Surroundings& surroundings);

}  // namespace parley::orchestration::mcp
