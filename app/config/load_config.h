#pragma once
// Puts a configuration together from its sources. Later ones win: defaults, file, environment, command line.
// Throws ConfigError naming source, place and what is expected; an unknown key names the nearest known one.
// Pure but for the file and process_environment(), which must not run beside a setenv(); any thread.

#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "app/config/config.h"
#include "app/config/settings.h"

namespace parley::app::config {

// (key, text) pairs as the command line gave them.
using Overrides = std::vector<std::pair<std::string, std::string>>;
// Looks a variable up; nullopt when it is not set.
using Environment = std::function<std::optional<std::string>(const std::string&)>;

struct ConfigSources {
  std::filesystem::path file;  // empty: none
  Environment environment;
  Overrides command_line;
};

Config load_config(const ConfigSources& sources);

// Reads the process's own variables.
Environment process_environment();

// Where conversations live by default: $XDG_DATA_HOME/parley or ~/.local/share/parley.
std::filesystem::path default_data_dir(const Environment& environment);

}  // namespace parley::app::config
