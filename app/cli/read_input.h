#pragma once
// What the user pipes in or names. Main thread. Throws std::runtime_error that names the file.

#include <cstddef>
#include <string>

namespace parley::app::cli {

inline constexpr std::size_t kMaxInputBytes = std::size_t{256} << 20;

// All of a file; "-": of standard input. More than kMaxInputBytes is an error.
std::string read_input(const std::string& path);

}  // namespace parley::app::cli
