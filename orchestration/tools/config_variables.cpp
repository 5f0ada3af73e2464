#include "orchestration/tools/config_variables.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <fstream>
#include <system_error>
#include <utility>

namespace parley::orchestration::tools {
namespace {

constexpr std::size_t kMaxSecretFile = 64 * 1024;
constexpr std::size_t kShortestSecret = 6;

// Variables that everybody knows: hiding their values would only make outputs unreadable.
constexpr std::array<std::string_view, 12> kPublicVariables = {
    "HOME", "USER", "LOGNAME", "PATH", "SHELL", "LANG", "TERM", "PWD", "TMPDIR", "TZ", "HOSTNAME", "EDITOR"};

bool starts_name(char c) { return std::isalpha(static_cast<unsigned char>(c)) != 0 || c == '_'; }
bool continues_name(char c) { return starts_name(c) || (c >= '0' && c <= '9'); }

std::string upper(std::string_view text) {
  std::string out(text);
  for (char& c : out) c = static_cast<char>(std::toupper(static_cast<unsigned char>(c)));
  return out;
}

Expansion refused(std::string problem) { return {.text = {}, .problem = std::move(problem)}; }
Expansion filled(std::string text) { return {.text = std::move(text), .problem = {}}; }

}  // namespace

bool is_secret_name(std::string_view name) {
  const std::string text = upper(name);
  for (const char* word : {"TOKEN", "SECRET", "KEY", "PASSWORD", "PASSWD", "CREDENTIAL", "AUTHORIZATION"}) {
    if (text.find(word) != std::string::npos) return true;
  }
  return false;
}

ConfigVariables::ConfigVariables(Environment environment, std::filesystem::path config_folder)
    : environment_(std::move(environment)), folder_(std::move(config_folder)) {}

void ConfigVariables::add_secret(std::string value) {
  if (value.size() < kShortestSecret) return;
  if (std::find(secrets_.begin(), secrets_.end(), value) == secrets_.end())
    secrets_.push_back(std::move(value));
}

Expansion ConfigVariables::expand(std::string_view text) {
  std::string out;
  while (!text.empty()) {
    const std::size_t dollar = std::min(text.find('$'), text.size());
    out += text.substr(0, dollar);
    text.remove_prefix(dollar);
    if (text.empty()) break;
    const char next = text.size() > 1 ? text[1] : '\0';
    std::size_t length = 1;
    Expansion value = filled("$");
    if (next == '$') {
      length = 2;
    } else if (next == '{') {
      const std::size_t close = text.find('}');
      if (close == std::string_view::npos)
        return refused("\"${\" is not closed; write \"$${\" for the characters");
      length = close + 1;
      value = value_of(text.substr(2, close - 2));
    } else if (starts_name(next)) {
      length = 2;
      while (length < text.size() && continues_name(text[length])) ++length;
      value = from_environment(text.substr(1, length - 1));
    }
    if (!value.problem.empty()) return value;
    out += value.text;
    text.remove_prefix(length);
  }
  return filled(std::move(out));
}

Expansion ConfigVariables::value_of(std::string_view expression) {
  const auto rest = [&](std::string_view prefix) { return expression.substr(prefix.size()); };
  if (expression == "userHome") {
    const auto home = environment_("HOME");
    if (!home || home->empty()) return refused("${userHome} is unknown since the variable HOME is not set");
    return filled(*home);
  }
  if (expression == "configDir" || expression == "workspaceFolder") return filled(folder_.string());
  if (expression.substr(0, 4) == "env:") return from_environment(rest("env:"));
  if (expression.substr(0, 5) == "file:") return from_file(rest("file:"));
  if (expression.substr(0, 6) == "input:") return from_input(rest("input:"));
  return from_environment(expression);
}

Expansion ConfigVariables::from_environment(std::string_view expression) {
  const std::size_t fallback = expression.find(":-");
  const std::string name(expression.substr(0, fallback));
  if (name.empty() || !starts_name(name[0]) || !std::all_of(name.begin(), name.end(), continues_name)) {
    return refused("\"${" + std::string(expression) +
                   "}\" is no variable that is known; write \"$$\" for a dollar sign");
  }
  auto value = environment_(name);
  // As in a shell, ":-" stands in for an empty value too.
  if (fallback != std::string_view::npos && (!value || value->empty())) {
    return filled(std::string(expression.substr(fallback + 2)));
  }
  if (!value) {
    return refused("the environment variable " + name + " is not set; set it, or write ${" + name +
                   ":-default}");
  }
  if (std::find(kPublicVariables.begin(), kPublicVariables.end(), name) == kPublicVariables.end())
    add_secret(*value);
  return filled(std::move(*value));
}

Expansion ConfigVariables::from_file(std::string_view path) {
  const std::filesystem::path file = folder_ / std::filesystem::path(path);
  std::error_code ignored;
  std::ifstream stream(file, std::ios::binary);
  if (path.empty() || !stream || !std::filesystem::is_regular_file(file, ignored)) {
    return refused("the file " + file.string() + " cannot be read; check the path and its permissions");
  }
  std::string text(kMaxSecretFile + 1, '\0');
  stream.read(text.data(), static_cast<std::streamsize>(text.size()));
  text.resize(static_cast<std::size_t>(stream.gcount()));
  if (text.size() > kMaxSecretFile) return refused("the file " + file.string() + " is larger than 64 KiB");
  while (!text.empty() && (text.back() == '\n' || text.back() == '\r')) text.pop_back();
  add_secret(text);
  return filled(std::move(text));
}

Expansion ConfigVariables::from_input(std::string_view id) {
  std::string name = "PARLEY_INPUT_" + upper(id);
  std::replace_if(
      name.begin(), name.end(), [](char c) { return !continues_name(c); }, '_');
  auto value = environment_(name);
  if (!value) {
    return refused("${input:" + std::string(id) +
                   "} asks a person, which a server cannot; set the variable " + name);
  }
  add_secret(*value);
  return filled(std::move(*value));
}

}  // namespace parley::orchestration::tools
