#include "orchestration/sandbox/paths.h"

#include <unistd.h>

#include <algorithm>
#include <array>
#include <utility>

namespace parley::orchestration::sandbox {

namespace {

namespace fs = std::filesystem;

// Opened to a program, they would undo the fence: the whole file system, other processes, devices, path Unix
// sockets.
constexpr std::array<std::string_view, 4> kNeverBelow = {"/proc", "/sys", "/dev", "/run/user"};
constexpr std::array<std::string_view, 8> kNeverWhole = {"/",    "/run", "/var",  "/var/run",
                                                         "/etc", "/tmp", "/home", "/root"};

bool is_executable(const std::filesystem::path& path) {
  std::error_code error;
  return std::filesystem::is_regular_file(path, error) && ::access(path.c_str(), X_OK) == 0;
}

constexpr int kMaxLinks = 40;  // as the kernel has it

// Walks a path component by component, as the kernel does.
class PathWalk {
 public:
  explicit PathWalk(const std::vector<fs::path>& changeable) {
    std::error_code ignored;
    for (const fs::path& folder : changeable) changeable_.push_back(fs::weakly_canonical(folder, ignored));
  }

  RealPath walk(const fs::path& path) {
    push(path);
    while (!ahead_.empty() && !found_.error && found_.planted.empty()) {
      const fs::path part = std::move(ahead_.back());
      ahead_.pop_back();
      step(part);
    }
    return std::move(found_);
  }

 private:
  void push(const fs::path& path) {
    if (path.is_absolute()) found_.path = "/";
    std::vector<fs::path> parts;
    for (const fs::path& part : path.relative_path()) parts.push_back(part);
    ahead_.insert(ahead_.end(), parts.rbegin(), parts.rend());
  }

  void step(const fs::path& part) {
    if (part.empty() || part == ".") return;
    if (part == "..") {
      found_.path = found_.path.parent_path();
      return;
    }
    const fs::path next = found_.path / part;
    const fs::file_status status = fs::symlink_status(next, found_.error);
    if (!fs::exists(status) && !found_.error)
      found_.error = std::make_error_code(std::errc::no_such_file_or_directory);
    if (found_.error || !fs::is_symlink(status)) {
      found_.path = next;
      return;
    }
    const auto holds_it = [this](const fs::path& folder) { return lies_in(found_.path, folder); };
    if (std::any_of(changeable_.begin(), changeable_.end(), holds_it)) {
      found_.planted = next;
    } else if (++links_ > kMaxLinks) {
      found_.error = std::make_error_code(std::errc::too_many_symbolic_link_levels);
    } else {
      push(fs::read_symlink(next, found_.error));
    }
  }

  std::vector<fs::path> changeable_;
  std::vector<fs::path> ahead_;  // the next one last
  RealPath found_;
  int links_ = 0;
};

}  // namespace

bool is_of_the_system(const fs::path& path) {
  const auto is_it = [&](std::string_view whole) { return path == whole; };
  const auto holds_it = [&](std::string_view top) { return lies_in(path, top); };
  return std::any_of(kNeverWhole.begin(), kNeverWhole.end(), is_it) ||
         std::any_of(kNeverBelow.begin(), kNeverBelow.end(), holds_it);
}

RealPath real_path(const fs::path& path, const std::vector<fs::path>& changeable) {
  return PathWalk(changeable).walk(path);
}

bool lies_in(const std::filesystem::path& path, const std::filesystem::path& folder) {
  const auto [in_folder, in_path] = std::mismatch(folder.begin(), folder.end(), path.begin(), path.end());
  return in_folder == folder.end() || (in_folder->empty() && std::next(in_folder) == folder.end());
}

std::filesystem::path find_program(const std::string& name, std::string_view search_path) {
  if (name.find('/') != std::string::npos) return std::filesystem::path(is_executable(name) ? name : "");
  while (!search_path.empty()) {
    const std::size_t colon = search_path.find(':');
    std::filesystem::path candidate = std::filesystem::path(search_path.substr(0, colon)) / name;
    if (candidate.is_absolute() && is_executable(candidate)) return candidate;
    if (colon == std::string_view::npos) break;
    search_path.remove_prefix(colon + 1);
  }
  return {};
}

}  // namespace parley::orchestration::sandbox
