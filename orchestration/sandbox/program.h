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

// How a program is fenced in. `none` is the operator's explicit word for a tool; the limits below still hold,
// and with Parley started as root it still does not run as root.
enum class Fence : std::uint8_t { bubblewrap, none };

// Paths are absolute, and seen at the same place inside. Nothing else of the file system is, but /usr, what
// it takes to run programs from it, and the program itself. What is written to `writable` and to a kept
// `home` is bounded by the size of each file only.
struct Access {
  Fence fence = Fence::bubblewrap;
  Network network = Network::off;
  std::vector<std::filesystem::path> readable;
  std::vector<std::filesystem::path> writable;
  // Parley's own: not seen where a folder above is bound, and not to be declared either (a `home` below may
  // be).
  std::vector<std::filesystem::path> hidden;
  // Hidden, too, unless something in it is declared, is the program, or is the working directory.
  std::filesystem::path hidden_unless_declared;
  // Where programs may write, this one or another: a link there is not followed on the way to what is
  // declared.
  std::vector<std::filesystem::path> changeable;
  std::filesystem::path home;  // not empty: a private folder that is kept, seen as $HOME; made when missing
};

enum class MemoryMeasure : std::uint8_t {
  address_space,  // everything a process maps
  private_data    // what it can write to: for runtimes that reserve far more than they use (node, Java, Go)
};

struct Limits {
  std::size_t memory_bytes = std::size_t{512} << 20;  // of each process
  MemoryMeasure memory_measure = MemoryMeasure::address_space;
  std::size_t file_bytes = std::size_t{64} << 20;       // of a file it writes
  std::size_t temporary_bytes = std::size_t{64} << 20;  // of /tmp, /dev/shm and a home that is not kept, each
  int processes = 64;                                   // and threads
  int open_files = 256;
  std::chrono::seconds processor_time{60};  // of each process
};

struct Program {
  std::vector<std::string> argv;  // argv[0] is looked up in PATH when it holds no slash; never a shell
  std::map<std::string, std::string>
      environment;                          // nothing is inherited; HOME and PATH are added where not given
  std::filesystem::path working_directory;  // empty: the private home
  Access access;
  Limits limits;
};

}  // namespace parley::orchestration::sandbox
