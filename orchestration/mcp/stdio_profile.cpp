#include "orchestration/mcp/stdio_profile.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string_view>
#include <system_error>
#include <utility>

namespace parley::orchestration::mcp {
namespace {

using std::filesystem::path;

constexpr int kMaxLinks = 16;
constexpr std::string_view kUser = "parley";

// Not bound, whatever an argument says: they are the system's, or reach out of the fence.
constexpr std::array<std::string_view, 10> kSystem = {"/",    "/proc", "/sys", "/dev",  "/run",
                                                      "/var", "/etc",  "/tmp", "/home", "/root"};
// There inside anyway.
constexpr std::array<std::string_view, 5> kSeen = {"/usr", "/bin", "/sbin", "/lib", "/lib64"};

bool is_within(const path& inner, const path& outer) {
  const auto [end, ignored] = std::mismatch(outer.begin(), outer.end(), inner.begin(), inner.end());
  return !outer.empty() && end == outer.end();
}

path normal(const path& given) {
  path clean = given.lexically_normal();
  return clean.has_filename() || clean == clean.root_path() ? clean : clean.parent_path();
}

bool is_there(const path& file) {
  std::error_code ignored;
  return std::filesystem::exists(file, ignored);
}

bool is_seen(const path& file) {
  return std::any_of(kSeen.begin(), kSeen.end(),
                     [&](std::string_view seen) { return is_within(file, seen); });
}

enum class Right : std::uint8_t { read, write };

class Binder {
 public:
  Binder(const Surroundings& surroundings, const path& home, StdioProfile& profile)
      : surroundings_(surroundings), home_(home), profile_(profile) {}

  void bind(const path& given, Right right) {
    const path file = normal(given);
    if (!is_there(file) || (right == Right::read && is_seen(file))) return;
    if (const std::string_view problem = refusal(file); !problem.empty()) {
      profile_.notes.push_back(file.string() + " is not shown to it: " + std::string(problem));
      return;
    }
    std::vector<path>& list =
        right == Right::write ? profile_.program.access.writable : profile_.program.access.readable;
    if (std::find(list.begin(), list.end(), file) == list.end()) list.push_back(file);
  }

  // The folder tree that a program outside /usr lives in: its own file is not enough for a language runtime
  // or a virtual environment. Each link on the way to it counts.
  void bind_program(path file) {
    for (int i = 0; i < kMaxLinks && is_there(file); ++i) {
      bind_tree_of(normal(file));
      std::error_code error;
      const path target = std::filesystem::read_symlink(file, error);
      if (error) return;
      file = normal(target.is_absolute() ? target : file.parent_path() / target);
    }
  }

 private:
  // Empty: it may be bound.
  std::string_view refusal(const path& file) const {
    if (std::find(kSystem.begin(), kSystem.end(), file.string()) != kSystem.end() ||
        is_within(file, "/proc") || is_within(file, "/sys") || is_within(file, "/dev") ||
        is_within(file, "/run")) {
      return "it belongs to the system";
    }
    std::error_code error;
    const path real = std::filesystem::canonical(file, error);
    for (const path& name : {file, error ? file : real}) {
      if (is_within(surroundings_.data_folder, name)) return "it holds Parley's own data";
      const bool is_ours = is_within(name, surroundings_.data_folder) && !is_within(name, home_);
      if (!surroundings_.data_folder.empty() && is_ours) return "it is Parley's own data";
    }
    return {};
  }

  bool is_too_broad(const path& tree) const {
    return std::distance(tree.begin(), tree.end()) < 2 || !refusal(tree).empty() ||
           (!surroundings_.user_home.empty() && is_within(surroundings_.user_home, tree));
  }

  void bind_tree_of(const path& file) {
    if (is_seen(file)) return;
    const path folder = file.parent_path();
    path tree = folder.filename() == "bin" ? folder.parent_path() : folder;
    if (is_too_broad(tree)) tree = folder;
    bind(is_too_broad(tree) ? file : tree, Right::read);
  }

  const Surroundings& surroundings_;
  const path home_;
  StdioProfile& profile_;
};

std::optional<path> find_program(const std::string& command, const Surroundings& surroundings,
                                 const path& working_directory) {
  if (command.find('/') != std::string::npos) {
    return path(command).is_absolute() ? path(command) : working_directory / command;
  }
  std::string_view rest = surroundings.search_path;
  while (!rest.empty()) {
    const std::size_t colon = rest.find(':');
    const std::string_view folder = rest.substr(0, colon);
    if (folder.starts_with('/') && is_there(path(folder) / command)) return path(folder) / command;
    rest = colon == std::string_view::npos ? "" : rest.substr(colon + 1);
  }
  return std::nullopt;
}

// An argument that is a path, or ends in one: /a/b, --root=/a/b.
std::optional<path> path_in(const std::string& argument) {
  if (argument.starts_with('/')) return argument;
  const std::size_t equals = argument.find("=/");
  if (argument.starts_with('-') && equals != std::string::npos) return argument.substr(equals + 1);
  return std::nullopt;
}

// A server lives long.
sandbox::Limits server_limits() {
  sandbox::Limits limits;
  limits.memory_bytes = std::size_t{2} << 30;
  limits.memory_measure = sandbox::MemoryMeasure::private_data;  // node maps far more than it uses
  limits.file_bytes = std::size_t{1} << 30;
  limits.temporary_bytes = std::size_t{512} << 20;
  limits.processes = 256;
  limits.open_files = 1024;
  limits.processor_time = std::chrono::hours{24 * 7};
  return limits;
}

// HOME is the sandbox's to say: it knows where the private home is seen.
std::map<std::string, std::string> clean_environment(const StdioEntry& entry,
                                                     const Surroundings& surroundings) {
  std::map<std::string, std::string> environment = {{"LOGNAME", std::string(kUser)},
                                                    {"PATH", surroundings.search_path},
                                                    {"SHELL", "/bin/sh"},
                                                    {"TERM", "dumb"},
                                                    {"USER", std::string(kUser)}};
  for (const auto& [name, value] : entry.environment) environment[name] = value;
  return environment;
}

}  // namespace

path stdio_home(const path& data_folder, const std::string& server) {
  std::string name;
  for (const char c : server) {
    const bool is_plain = (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '-' || c == '_';
    name += is_plain ? c : '_';
  }
  if (name == server) return data_folder / "mcp-homes" / name;
  // Two names must not share a home because they differ in an odd character only.
  return data_folder / "mcp-homes" /
         (name.substr(0, 40) + "." + std::to_string(std::hash<std::string>()(server)));
}

StdioProfile make_stdio_profile(const StdioEntry& entry, const Surroundings& surroundings) {
  StdioProfile profile;
  const path home = stdio_home(surroundings.data_folder, entry.name);
  sandbox::Program& program = profile.program;
  program.argv = entry.argv;
  program.environment = clean_environment(entry, surroundings);
  program.working_directory = entry.working_directory;
  program.access.fence = entry.fence;
  program.access.network = entry.network;
  program.access.hidden = {surroundings.data_folder};
  program.access.home = home;
  program.limits = server_limits();

  Binder binder(surroundings, home, profile);
  for (const path& file : entry.writable) binder.bind(file, Right::write);
  for (const path& file : entry.readable) binder.bind(file, Right::read);
  if (!entry.working_directory.empty()) binder.bind(entry.working_directory, Right::read);
  for (std::size_t i = 1; i < entry.argv.size(); ++i) {
    const std::optional<path> file = path_in(entry.argv[i]);
    const auto& writable = program.access.writable;
    const bool is_writable = file && std::any_of(writable.begin(), writable.end(), [&](const path& folder) {
                               return is_within(normal(*file), folder);
                             });
    if (file && !is_writable) binder.bind(*file, Right::read);
  }
  if (entry.argv.empty()) return profile;
  const path start = entry.working_directory.empty() ? home : entry.working_directory;
  if (const auto file = find_program(entry.argv.front(), surroundings, start)) binder.bind_program(*file);
  return profile;
}

}  // namespace parley::orchestration::mcp
