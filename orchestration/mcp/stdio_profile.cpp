#include "orchestration/mcp/stdio_profile.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <optional>
#include <string_view>
#include <system_error>
#include <utility>

#include "orchestration/sandbox/paths.h"

namespace parley::orchestration::mcp {
namespace {

using std::filesystem::path;

constexpr int kMaxLinks = 16;
constexpr std::string_view kUser = "parley";

// There inside anyway.
constexpr std::array<std::string_view, 5> kSeen = {"/usr", "/bin", "/sbin", "/lib", "/lib64"};

// An empty folder is none, and holds nothing.
bool holds(const path& folder, const path& inner) {
  return !folder.empty() && sandbox::lies_in(inner, folder);
}

// FNV-1a of 64 bits, in hexadecimal. Written out here since homes are kept: std::hash may be another
// tomorrow.
std::string fnv1a(std::string_view text) {
  std::uint64_t hash = 0xcbf29ce484222325U;
  for (const char c : text) hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001b3U;
  std::array<char, 17> digits{};
  std::snprintf(digits.data(), digits.size(), "%016llx", static_cast<unsigned long long>(hash));
  return digits.data();
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
                     [&](std::string_view seen) { return sandbox::lies_in(file, seen); });
}

// Of a program in this folder. One that npm installed needs its package and those beside it.
path tree_of(const path& folder) {
  path above;
  for (const path& part : folder) {
    above /= part;
    if (part == "node_modules") return above;
  }
  return folder.filename() == "bin" ? folder.parent_path() : folder;
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

  // The folder tree that a program outside /usr lives in: its own file is not enough for a language runtime,
  // a virtual environment or a package. Each link on the way to it counts.
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
    std::error_code error;
    const path real = std::filesystem::canonical(file, error);
    for (const path& name : {file, error ? file : real}) {
      if (sandbox::is_of_the_system(name) || holds("/run", name)) return "it belongs to the system";
      if (holds(name, surroundings_.data_folder)) return "it holds Parley's own data";
      if (holds(surroundings_.data_folder, name) && !holds(home_, name)) return "it is Parley's own data";
      if (holds(name, surroundings_.user_home)) return "it holds the whole home folder; name folders in it";
      if (is_hidden(name)) return "it holds secrets of the tools file";
    }
    return {};
  }

  bool is_hidden(const path& name) const {
    const std::vector<path>& files = profile_.program.access.hidden;
    return std::any_of(files.begin(), files.end(), [&](const path& hidden) {
      std::error_code ignored;
      return hidden != surroundings_.data_folder &&
             holds(std::filesystem::weakly_canonical(hidden, ignored), name);
    });
  }

  bool is_too_broad(const path& tree) const {
    return std::distance(tree.begin(), tree.end()) < 2 || !refusal(tree).empty() ||
           holds(tree, surroundings_.config_folder);
  }

  void bind_tree_of(const path& file) {
    if (is_seen(file)) return;
    const path folder = file.parent_path();
    path tree = tree_of(folder);
    if (is_too_broad(tree)) tree = folder;
    bind(is_too_broad(tree) ? file : tree, Right::read);
  }

  const Surroundings& surroundings_;
  const path home_;
  StdioProfile& profile_;
};

// Empty: there is none.
path program_file(const std::string& command, const Surroundings& surroundings,
                  const path& working_directory) {
  if (command.find('/') != std::string::npos) {
    return path(command).is_absolute() ? path(command) : working_directory / command;
  }
  return sandbox::find_program(command, surroundings.search_path);
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
  return data_folder / "mcp-homes" / (name.substr(0, 40) + "." + fnv1a(server));
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
  program.access.hidden = entry.hidden;
  program.access.hidden.push_back(surroundings.data_folder);
  program.access.hidden.insert(program.access.hidden.end(), surroundings.own_files.begin(),
                               surroundings.own_files.end());
  program.access.hidden_unless_declared = surroundings.config_folder;
  program.access.changeable = entry.changeable;
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
                               return sandbox::lies_in(normal(*file), folder);
                             });
    if (file && !is_writable) binder.bind(*file, Right::read);
  }
  if (entry.argv.empty()) return profile;
  const path start = entry.working_directory.empty() ? home : entry.working_directory;
  binder.bind_program(program_file(entry.argv.front(), surroundings, start));
  return profile;
}

}  // namespace parley::orchestration::mcp
