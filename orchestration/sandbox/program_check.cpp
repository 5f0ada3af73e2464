#include "orchestration/sandbox/program_check.h"

#include <algorithm>
#include <string_view>

#include "orchestration/sandbox/paths.h"

namespace parley::orchestration::sandbox {

namespace {

namespace fs = std::filesystem;

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
  const RealPath found = real_path(path, all_changeable(access));
  if (!found.planted.empty()) {
    return "the path " + shown + " leads over the link " + found.planted.string() +
           ", which lies in a folder that programs may write to";
  }
  if (found.error) return "the path " + shown + " cannot be used: " + found.error.message();
  const fs::path& real = found.path;
  if (is_of_the_system(real))
    return "the path " + shown + " may not be opened to a program: it is the system's; name a folder in it";
  std::error_code error;
  for (const fs::path& hidden : access.hidden) {
    if (!hidden.empty() && lies_in(real, fs::weakly_canonical(hidden, error))) {
      return "the path " + shown + " is Parley's own and not opened to programs";
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

std::vector<fs::path> all_changeable(const Access& access) {
  std::vector<fs::path> folders = access.changeable;
  folders.insert(folders.end(), access.writable.begin(), access.writable.end());
  return folders;
}

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
