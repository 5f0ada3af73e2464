#include "orchestration/sandbox/program_check.h"

#include <algorithm>
#include <array>
#include <string_view>

#include "orchestration/sandbox/paths.h"

namespace parley::orchestration::sandbox {

namespace {

namespace fs = std::filesystem;

// Declared, they would undo the fence: the whole file system, other processes, devices, path Unix sockets.
constexpr std::array<std::string_view, 4> kNeverBelow = {"/proc", "/sys", "/dev", "/run/user"};
constexpr std::array<std::string_view, 8> kNeverWhole = {"/",    "/run", "/var",  "/var/run",
                                                         "/etc", "/tmp", "/home", "/root"};

bool holds_nul(std::string_view text) { return text.find('\0') != std::string_view::npos; }

std::string words_problem(const Program& program) {
  if (program.argv.empty() || program.argv.front().empty()) return "no program is named";
  if (std::any_of(program.argv.begin(), program.argv.end(), holds_nul)) {
    return "an argument holds a NUL character, which no program can be given";
  }
  for (const auto& [name, value] : program.environment) {
    if (name.empty() || name.find('=') != std::string::npos || holds_nul(name) || holds_nul(value)) {
      return "the environment variable \"" + name.substr(0, name.find('\0')) + "\" cannot be set";
    }
  }
  return "";
}

std::string path_problem(const fs::path& path, const Access& access) {
  const std::string shown = path.string();
  if (!path.is_absolute() || holds_nul(shown) || path != path.lexically_normal()) {
    return "the path " + shown + " is not absolute and plain";
  }
  std::error_code error;
  const fs::path real = fs::canonical(path, error);
  if (error) return "the path " + shown + " cannot be used: " + error.message();
  for (const std::string_view never : kNeverWhole) {
    if (real == never) return "the path " + shown + " is too much to open to a program; name a folder in it";
  }
  for (const std::string_view never : kNeverBelow) {
    if (lies_in(real, never)) return "the path " + shown + " may not be opened to a program";
  }
  for (const fs::path& hidden : access.hidden) {
    if (lies_in(real, fs::weakly_canonical(hidden, error))) {
      return "the path " + shown + " is Parley's own and not opened to programs";
    }
  }
  // A program that may write there could have put the link in.
  for (const fs::path& writable : access.writable) {
    const bool is_link = real != path && !lies_in(writable, path);
    if (is_link && path != writable && lies_in(path, writable)) {
      return "the path " + shown + " is a link inside a writable folder";
    }
  }
  return "";
}

std::string paths_problem(const Access& access) {
  if (access.fence == Fence::none) return "";
  for (const auto* list : {&access.readable, &access.writable}) {
    for (const fs::path& path : *list) {
      if (std::string problem = path_problem(path, access); !problem.empty()) return problem;
    }
  }
  return "";
}

std::string limits_problem(const Limits& limits) {
  if (limits.processes < 1 || limits.open_files < 8 || limits.processor_time.count() < 1) {
    return "the limits leave a program no room to run";
  }
  return "";
}

}  // namespace

std::string program_problem(const Program& program) {
  if (std::string problem = words_problem(program); !problem.empty()) return problem;
  for (const fs::path& path : {program.working_directory, program.access.home}) {
    if (!path.empty() && (!path.is_absolute() || holds_nul(path.string()))) {
      return "the path " + path.string() + " is not absolute";
    }
  }
  if (std::string problem = limits_problem(program.limits); !problem.empty()) return problem;
  return paths_problem(program.access);
}

}  // namespace parley::orchestration::sandbox
