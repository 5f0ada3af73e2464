#include "app/cli/read_input.h"

#include <filesystem>
#include <fstream>
#include <iostream>
#include <iterator>
#include <stdexcept>
#include <system_error>

namespace parley::app::cli {

std::string read_input(const std::string& path) {
  if (path == "-") return {std::istreambuf_iterator<char>(std::cin), {}};
  std::ifstream stream(path, std::ios::binary);
  std::error_code ignored;
  if (!stream || std::filesystem::is_directory(path, ignored)) {
    throw std::runtime_error("cannot read " + path + "; check the path and its permissions");
  }
  return {std::istreambuf_iterator<char>(stream), {}};
}

}  // namespace parley::app::cli
