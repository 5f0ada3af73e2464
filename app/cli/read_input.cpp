#include "app/cli/read_input.h"

#include <array>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <stdexcept>
#include <system_error>

namespace parley::app::cli {

namespace {

std::string read_all(std::istream& stream, const std::string& name) {
  std::string text;
  std::array<char, 1 << 16> block{};
  while (stream.read(block.data(), block.size()), stream.gcount() > 0) {
    text.append(block.data(), static_cast<std::size_t>(stream.gcount()));
    if (text.size() > kMaxInputBytes) {
      throw std::runtime_error(name + " is longer than " + std::to_string(kMaxInputBytes >> 20) +
                               " MiB; give less at a time");
    }
  }
  return text;
}

}  // namespace

std::string read_input(const std::string& path) {
  if (path == "-") return read_all(std::cin, "standard input");
  std::ifstream stream(path, std::ios::binary);
  std::error_code ignored;
  if (!stream || std::filesystem::is_directory(path, ignored)) {
    throw std::runtime_error("cannot read " + path + "; check the path and its permissions");
  }
  return read_all(stream, path);
}

}  // namespace parley::app::cli
