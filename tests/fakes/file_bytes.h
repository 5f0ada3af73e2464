#pragma once
// Whole files as strings, for tests.

#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>

namespace parley::tests::fakes {

inline std::string read_file(const std::filesystem::path& file) {
  std::ifstream in(file, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

inline void write_file(const std::filesystem::path& file, const std::string& bytes) {
  std::ofstream(file, std::ios::binary) << bytes;
}

}  // namespace parley::tests::fakes
