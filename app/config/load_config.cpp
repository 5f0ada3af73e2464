#include "app/config/load_config.h"

#include <simdjson.h>

#include <cstdlib>
#include <fstream>
#include <set>
#include <system_error>

#include "inference/json/json_comments.h"
#include "inference/json/nearest_name.h"

namespace parley::app::config {
namespace {

std::string unknown_key(std::string_view key) {
  std::vector<std::string_view> known;
  for (const Setting& setting : settings()) known.push_back(setting.key);
  const std::string_view near = inference::json::nearest_name(key, known);
  std::string text = "unknown key \"" + std::string(key) + "\"";
  if (!near.empty()) text += "; did you mean \"" + std::string(near) + "\"?";
  return text;
}

void apply(Config& config, const Setting& setting, std::string_view text, const std::string& source) {
  if (const auto problem = setting.read(config, text)) throw ConfigError(source + ": " + *problem);
}

// A JSON scalar, or an array of strings joined by commas, as the text that a setting reads.
std::string value_text(simdjson::dom::element value, const std::string& source) {
  if (std::string_view text; value.get_string().get(text) == simdjson::SUCCESS) return std::string(text);
  if (value.is_number()) return simdjson::minify(value);
  simdjson::dom::array array;
  if (value.get_array().get(array) != simdjson::SUCCESS) {
    throw ConfigError(source + ": expected a string, a number or a list of strings");
  }
  std::string joined;
  for (const simdjson::dom::element item : array) {
    std::string_view text;
    if (item.get_string().get(text) != simdjson::SUCCESS)
      throw ConfigError(source + ": expected a list of strings");
    joined += (joined.empty() ? "" : ",") + std::string(text);
  }
  return joined;
}

// Text of the file, without its comments.
std::string read_json(const std::filesystem::path& path) {
  constexpr std::size_t kLargestFile = 1 << 20;
  const std::string shown = path.string();
  std::ifstream stream(path, std::ios::binary);
  std::error_code ignored;
  if (!stream || std::filesystem::is_directory(path, ignored)) {
    throw ConfigError("cannot read the configuration file " + shown + "; check the path and its permissions");
  }
  std::string text(kLargestFile + 1, '\0');
  stream.read(text.data(), static_cast<std::streamsize>(text.size()));
  text.resize(static_cast<std::size_t>(stream.gcount()));
  if (text.size() > kLargestFile)
    throw ConfigError(shown + ": larger than 1 MiB, so not a configuration file");
  return inference::json::blank_comments(text);
}

void apply_file(Config& config, const std::filesystem::path& path) {
  const std::string shown = path.string();
  const std::string json = read_json(path);
  simdjson::dom::parser parser;
  simdjson::dom::element root;
  if (const auto error = parser.parse(json).get(root); error != simdjson::SUCCESS) {
    throw ConfigError(shown + ": not valid JSON (" + simdjson::error_message(error) + ")");
  }
  simdjson::dom::object object;
  if (root.get_object().get(object) != simdjson::SUCCESS)
    throw ConfigError(shown + ": expected an object { … }");
  std::set<std::string_view> seen;
  for (const auto& field : object) {
    if (field.key == "$schema") continue;
    const Setting* setting = find_setting(field.key);
    if (setting == nullptr) throw ConfigError(shown + ": " + unknown_key(field.key));
    if (!seen.insert(field.key).second)
      throw ConfigError(shown + ": \"" + std::string(field.key) + "\" is given twice");
    const std::string source = shown + ": \"" + std::string(field.key) + "\"";
    apply(config, *setting, value_text(field.value, source), source);
  }
}

}  // namespace

Config load_config(const ConfigSources& sources) {
  Config config;
  config.data_dir = default_data_dir(sources.environment);
  if (!sources.file.empty()) apply_file(config, sources.file);
  for (const Setting& setting : settings()) {
    const std::string name = variable_name(setting);
    if (const auto value = sources.environment(name))
      apply(config, setting, *value, "environment variable " + name);
  }
  for (const auto& [key, text] : sources.command_line) {
    const Setting* setting = find_setting(key);
    if (setting == nullptr) throw ConfigError(unknown_key(key));
    apply(config, *setting, text, "option --" + option_name(*setting));
  }
  return config;
}

Environment process_environment() {
  return [](const std::string& name) -> std::optional<std::string> {
    const char* value = std::getenv(name.c_str());
    return value == nullptr ? std::nullopt : std::optional<std::string>(value);
  };
}

std::filesystem::path default_data_dir(const Environment& environment) {
  if (const auto data = environment("XDG_DATA_HOME"); data && !data->empty()) {
    return std::filesystem::path(*data) / "parley";
  }
  const auto home = environment("HOME");
  if (home && !home->empty()) return std::filesystem::path(*home) / ".local" / "share" / "parley";
  return "parley-data";
}

}  // namespace parley::app::config
