#pragma once
// Short ways to run programs in tests, and to see what is left of them.

#include <gtest/gtest.h>

#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>
#include <utility>
#include <vector>

#include "orchestration/sandbox/run_program.h"
#include "orchestration/sandbox/tool_user.h"

namespace parley::tests {

using End = orchestration::sandbox::ProgramResult::End;

inline orchestration::sandbox::Program program_of(
    std::vector<std::string> argv,
    orchestration::sandbox::Fence fence = orchestration::sandbox::Fence::bubblewrap) {
  orchestration::sandbox::Program program;
  program.argv = std::move(argv);
  program.access.fence = fence;
  return program;
}

inline orchestration::sandbox::Program shell(
    std::string script, orchestration::sandbox::Fence fence = orchestration::sandbox::Fence::bubblewrap) {
  return program_of({"/bin/sh", "-c", std::move(script)}, fence);
}

inline orchestration::sandbox::RunOptions within(std::chrono::milliseconds time) {
  orchestration::sandbox::RunOptions options;
  options.deadline = std::chrono::steady_clock::now() + time;
  return options;
}

inline orchestration::sandbox::ProgramResult run(const orchestration::sandbox::Program& program) {
  return orchestration::sandbox::run_program(program, within(std::chrono::seconds(20)));
}

// A program of ours that was built beside the test.
inline std::string beside(const std::string& name) {
  return (std::filesystem::read_symlink("/proc/self/exe").parent_path() / name).string();
}

inline std::string content_of(const std::filesystem::path& path) {
  std::ifstream file(path, std::ios::binary);
  std::string content;
  char piece[4096];
  do {  // not by iterators, which throw when a process in /proc ends meanwhile
    file.read(piece, sizeof piece);
    content.append(piece, static_cast<std::size_t>(file.gcount()));
  } while (file);
  return content;
}

// Processes whose environment or arguments hold the marker.
inline std::vector<std::string> processes_with(const std::string& marker) {
  std::vector<std::string> found;
  std::error_code error;
  for (const auto& entry : std::filesystem::directory_iterator("/proc", error)) {
    if (std::isdigit(static_cast<unsigned char>(entry.path().filename().string()[0])) == 0) continue;
    const std::string words = content_of(entry.path() / "cmdline");
    if ((content_of(entry.path() / "environ") + words).find(marker) != std::string::npos) {
      found.push_back(entry.path().filename().string() + " " + words);
    }
  }
  return found;
}

inline std::size_t open_descriptors() {
  const std::filesystem::directory_iterator folder("/proc/self/fd");
  return static_cast<std::size_t>(std::distance(begin(folder), end(folder)));
}

// Asked of the kernel by util-linux, and as the user as whom programs run: not of what is tested.
inline bool user_namespaces_can_exist() {
  const auto user = orchestration::sandbox::tool_user();
  const std::string id = std::to_string(user.user);
  const std::string become =
      user.changed ? "setpriv --reuid " + id + " --regid " + id + " --clear-groups " : std::string();
  return std::system((become + "unshare -U true 2>/dev/null").c_str()) == 0;
}

// The fence works, or the test is skipped where it cannot, or it fails.
class FencedTest : public testing::Test {
 protected:
  void SetUp() override {
    static const bool possible = user_namespaces_can_exist();
    if (!possible) GTEST_SKIP() << "USER NAMESPACES ARE NOT PERMITTED HERE: the fence is not tested";
    ASSERT_EQ(orchestration::sandbox::fence_problem(), "");
  }
};

}  // namespace parley::tests
