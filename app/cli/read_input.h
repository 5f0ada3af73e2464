#pragma once
// What the user pipes in or names. Main thread. Throws std::runtime_error that names the file.

#include <string>

namespace parley::app::cli {

// All of a file; "-": of standard input.
std::string read_input(const std::string& path);

}  // namespace parley::app::cli
