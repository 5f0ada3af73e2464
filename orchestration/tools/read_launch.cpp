#include "orchestration/tools/read_launch.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <filesystem>
#include <system_error>

#include "orchestration/tools/argv_template.h"
#include "orchestration/tools/environment_file.h"
#include "orchestration/tools/trusted_file.h"

namespace parley::orchestration::tools {
namespace {

using inference::json::JsonValue;
namespace fs = std::filesystem;

constexpr std::size_t kMaxEnvironmentFile = std::size_t{1} << 20;
constexpr const char* kSystemPath = "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin";

fs::path absolute_path(EntryReader& reader, const std::string& text) {
  return reader.state().variables.absolute(text);
}

std::vector<fs::path> absolute_paths(EntryReader& reader, std::string_view key) {
  std::vector<fs::path> paths;
  for (const std::string& text : reader.texts(key)) {
    paths.push_back(absolute_path(reader, text));
    if (paths.back() == "/")
      reader.refuse(key, "the whole file system cannot be opened to a tool; name folders");
  }
  return paths;
}

void read_words(EntryReader& reader, std::string_view command_key, Launch& launch) {
  launch.argv = reader.texts(command_key);
  const JsonValue* command = reader.find(command_key);
  const bool one_text = command != nullptr && command->is_string();
  if (command_key == "command") {
    for (std::string& word : reader.texts("args")) launch.argv.push_back(std::move(word));
  }
  if (reader.refused()) return;
  if (launch.argv.empty() || launch.argv[0].empty()) {
    return reader.refuse(command_key, "expected the program and its arguments, as a list of words");
  }
  std::string& program = launch.argv[0];
  std::error_code ignored;
  if (one_text && program.find(' ') != std::string::npos &&
      !fs::exists(absolute_path(reader, program), ignored)) {
    return reader.refuse(command_key,
                         "there is no shell to split words; write a list: [\"program\", \"argument\"]");
  }
  if (!placeholders_of(program).empty()) {
    return reader.refuse(command_key,
                         "the program itself cannot be a placeholder: a model would choose what runs");
  }
  const bool nul = std::any_of(launch.argv.begin(), launch.argv.end(),
                               [](const std::string& word) { return word.find('\0') != std::string::npos; });
  if (nul) return reader.refuse(command_key, "a word holds a NUL character");
  if (program.find('/') != std::string::npos || program[0] == '~')
    program = absolute_path(reader, program).string();
}

// What every program sees of /usr and the like anyway, and what none is to see through a word of its
// arguments.
bool is_system_path(const fs::path& path) {
  constexpr std::array<std::string_view, 11> kTops = {"usr", "bin",  "sbin", "lib", "lib64", "lib32",
                                                      "etc", "proc", "sys",  "dev", "run"};
  auto part = path.begin();
  if (part == path.end() || ++part == path.end()) return true;
  return std::find(kTops.begin(), kTops.end(), part->string()) != kTops.end();
}

void add_named_paths(Launch& launch) {
  std::vector<fs::path>& readable = launch.access.readable;
  const std::vector<fs::path>& writable = launch.access.writable;
  for (const std::string& word : launch.argv) {
    const fs::path path = fs::path(word).lexically_normal();
    std::error_code ignored;
    if (!path.is_absolute() || is_system_path(path) || !fs::exists(path, ignored)) continue;
    if (std::find(writable.begin(), writable.end(), path) != writable.end()) continue;
    if (std::find(readable.begin(), readable.end(), path) == readable.end()) readable.push_back(path);
  }
}

void read_sandbox(EntryReader& reader, Launch& launch, sandbox::Network default_network) {
  launch.access.network = default_network;
  const JsonValue* value = reader.find("sandbox");
  if (value != nullptr && value->is_string()) {
    if (reader.choice("sandbox", {"none"})) launch.access.fence = sandbox::Fence::none;
    return;
  }
  if (const auto* object = reader.object("sandbox")) {
    EntryReader fields(reader.state(), *object, ObjectKind::sandbox, reader.place_of("sandbox"));
    if (const auto network = fields.flag("network")) launch.access.network = sandbox::Network{*network};
    launch.access.readable = absolute_paths(fields, "read");
    launch.access.writable = absolute_paths(fields, "write");
    if (fields.refused()) reader.refuse_quietly();
  }
}

void read_environment_file(EntryReader& reader, Launch& launch) {
  const auto name = reader.text("envFile");
  if (!name) return;
  const fs::path path = absolute_path(reader, *name);
  const TrustedFile bytes = read_regular_file(path, kMaxEnvironmentFile);
  if (!bytes.problem.empty()) return reader.refuse("envFile", "the file " + bytes.problem);
  const EnvironmentFile file = parse_environment_file(bytes.bytes);
  if (file.bad_line > 0) {
    return reader.refuse("envFile",
                         path.string() + ": line " + std::to_string(file.bad_line) + " is no NAME=value");
  }
  for (const auto& [variable, value] : file.values) {
    launch.environment[variable] = value;
    if (is_secret_name(variable)) reader.state().variables.add_secret(value);
  }
}

void inherit(EntryReader& reader, Launch& launch) {
  for (const std::string& name : reader.texts("inheritEnv")) {
    if (is_secret_name(name)) {
      reader.warn("inheritEnv",
                  "\"" + name + "\" looks like a secret and is not inherited; hand it over under \"env\"");
    } else if (auto value = reader.state().variables.variable(name)) {
      launch.environment[name] = std::move(*value);
    }
  }
}

void read_environment(EntryReader& reader, Launch& launch, const LaunchDefaults& defaults) {
  const ConfigVariables& variables = reader.state().variables;
  const bool fenced = launch.access.fence == sandbox::Fence::bubblewrap;
  if (defaults.path == LaunchDefaults::Path::system) {
    launch.environment["PATH"] = fenced ? kSystemPath : variables.variable("PATH").value_or(kSystemPath);
  }
  launch.environment["LANG"] = "C.UTF-8";
  if (const auto home = variables.variable("HOME"); home && !fenced) launch.environment["HOME"] = *home;
  inherit(reader, launch);
  read_environment_file(reader, launch);
  for (const char* key : {"env", "environment"}) {
    for (auto& [name, value] : reader.text_map(key)) {
      if (name.empty() || name.find('=') != std::string::npos ||
          (name + value).find('\0') != std::string::npos) {
        return reader.refuse(key, "\"" + name + "\" cannot be a variable of the environment");
      }
      if (is_secret_name(name)) reader.state().variables.add_secret(value);
      launch.environment[name] = std::move(value);
    }
  }
}

}  // namespace

Launch read_launch(EntryReader& reader, std::string_view command_key, const LaunchDefaults& defaults) {
  Launch launch;
  read_words(reader, command_key, launch);
  read_sandbox(reader, launch, defaults.network);
  add_named_paths(launch);
  read_environment(reader, launch, defaults);
  if (const auto folder = reader.text("cwd")) {
    launch.working_directory = absolute_path(reader, *folder);
    std::error_code ignored;
    if (!fs::is_directory(launch.working_directory, ignored)) {
      reader.refuse("cwd", "there is no folder " + launch.working_directory.string());
    }
  }
  return launch;
}

}  // namespace parley::orchestration::tools
