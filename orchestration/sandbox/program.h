#pragma once
// A program to be run apart from this process: what to start, what it may see, what it may use up. Plain
// values.

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <map>
#include <string>
#include <vector>

namespace parley::orchestration::sandbox {

enum class Network : bool { off, on };

// How a program is fenced in. `none` is the operator's explicit word for a tool; the limits below still hold.
enum class Fence : std::uint8_t { bubblewrap, none };

// Paths are absolute, and seen at the same place inside. Nothing else of the file system is, but /usr and
// what it takes to run programs from it.
struct Access {
  Fence fence = Fence::bubblewrap;
  Network network = Network::off;
  std::vector<std::filesystem::path> readable;
  std::vector<std::filesystem::path> writable;
  std::filesystem::path home;  // not empty: a private folder of the host that is kept, seen as $HOME
};

struct Limits {
  std::size_t memory_bytes = std::size_t{512} << 20;    // address space of each process
  std::size_t file_bytes = std::size_t{64} << 20;       // of a file it writes
  std::size_t temporary_bytes = std::size_t{64} << 20;  // of /tmp and the private home
  int processes = 64;
  int open_files = 256;
  std::chrono::seconds processor_time{60};
};

struct Program {
  std::vector<std::string> argv;  // argv[0] is looked up in PATH when it holds no slash; never a shell
  std::map<std::string, std::string> environment;  // all of it: nothing is inherited
  std::filesystem::path working_directory;         // empty: the private home
  Access access;
  Limits limits;
};

}  // namespace parley::orchestration::sandbox
