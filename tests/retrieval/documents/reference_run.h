#pragma once
// Runs another program that reads the same file, for comparison. One thread.

#include <sys/wait.h>

#include <array>
#include <cstdio>
#include <fstream>
#include <iterator>
#include <sstream>
#include <string>
#include <vector>

namespace parley::retrieval::documents::testing {

struct ReferenceRun {
  int status = -1;
  std::string output;

  std::vector<std::string> lines() const {
    std::istringstream stream(output);
    std::vector<std::string> all;
    for (std::string line; std::getline(stream, line);) {
      all.push_back(line);
    }
    return all;
  }
};

inline ReferenceRun run_reference(const std::string& command) {
  ReferenceRun run;
  FILE* pipe = ::popen(("PYTHONDONTWRITEBYTECODE=1 " + command).c_str(), "r");
  if (pipe == nullptr) {
    return run;
  }
  std::array<char, 4096> buffer;
  while (const std::size_t count = std::fread(buffer.data(), 1, buffer.size(), pipe)) {
    run.output.append(buffer.data(), count);
  }
  const int status = ::pclose(pipe);
  run.status = WIFEXITED(status) ? WEXITSTATUS(status) : -1;
  return run;
}

inline std::string file_bytes(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
}

}  // namespace parley::retrieval::documents::testing
