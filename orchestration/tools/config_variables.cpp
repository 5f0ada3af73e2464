#include "orchestration/tools/config_variables.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <utility>

#include "orchestration/tools/trusted_file.h"

namespace parley::orchestration::tools {
namespace {

constexpr std::size_t kMaxSecretFile = 64 * 1024;
constexpr std::size_t kShortestSecret = 6;

// Variables that everybody knows: hiding their values would only make outputs unreadable.
constexpr std::array<std::string_view, 13> kPublicVariables = {
    "HOME", "USER",   "LOGNAME", "PATH", "SHELL",    "LANG",  "TERM",
    "PWD",  "OLDPWD", "TMPDIR",  "TZ",   "HOSTNAME", "EDITOR"};

bool starts_name(char c) { return std::isalpha(static_cast<unsigned char>(c)) != 0 || c == '_'; }
bool continues_name(char c) { return starts_name(c) || (c >= '0' && c <= '9'); }

std::string upper(std::string_view text) {
  std::string out(text);
  for (char& c : out) c = static_cast<char>(std::toupper(static_cast<unsigned char>(c)));
  return out;
}

// Short ones count as whole words only: GIT_AUTHOR_NAME and COMPASS are no secrets, and DESKTOP_SESSION is
// none either.
bool has_secret_word(std::string_view name) {
  if (name.starts_with("XDG_") || name.starts_with("DESKTOP_")) return false;
  while (!name.empty()) {
    const std::size_t end = std::min(name.find_first_of("_-. "), name.size());
    const std::string_view word = name.substr(0, end);
    for (const std::string_view secret : {"PASS", "PWD", "AUTH", "COOKIE", "SESSION"}) {
      if (word == secret) return true;
    }
    name.remove_prefix(std::min(end + 1, name.size()));
  }
  return false;
}

Expansion refused(std::string problem) { return {.text = {}, .problem = std::move(problem)}; }
Expansion filled(std::string text) { return {.text = std::move(text), .problem = {}}; }

}  // namespace

bool is_secret_name(std::string_view name) {
  const std::string text = upper(name);
  if (std::find(kPublicVariables.begin(), kPublicVariables.end(), text) != kPublicVariables.end())
    return false;
  for (const char* word : {"TOKEN", "SECRET", "KEY", "PASSWORD", "PASSWD", "CREDENTIAL", "AUTHORIZATION"}) {
    if (text.find(word) != std::string::npos) return true;
  }
  return has_secret_word(text);
}

ConfigVariables::ConfigVariables(Environment environment, std::filesystem::path config_folder)
    : environment_(std::move(environment)), folder_(std::move(config_folder)) {}

std::filesystem::path ConfigVariables::absolute(const std::string& path) const {
  if (path == "~" || path.starts_with("~/")) {
    const auto home = environment_("HOME");
    if (home)
      return (std::filesystem::path(*home) / path.substr(std::min<std::size_t>(2, path.size())))
          .lexically_normal();
  }
  return (folder_ / path).lexically_normal();
}

void ConfigVariables::add_secret(std::string value) {
  if (value.size() < kShortestSecret) return;
  if (std::find(secrets_.begin(), secrets_.end(), value) == secrets_.end())
    secrets_.push_back(std::move(value));
}

Expansion ConfigVariables::expand(std::string_view text, DollarNames names) {
  const bool has_names = names == DollarNames::filled_in;
  std::string out;
  while (!text.empty()) {
    const std::size_t dollar = std::min(text.find('$'), text.size());
    out += text.substr(0, dollar);
    text.remove_prefix(dollar);
    if (text.empty()) break;
    const char next = text.size() > 1 ? text[1] : '\0';
    std::size_t length = 1;
    Expansion value = filled("$");
    if (next == '$' && (has_names || text.substr(2, 1) == "{")) {
      length = 2;
    } else if (next == '{') {
      const std::size_t close = text.find('}');
      if (close == std::string_view::npos)
        return refused("\"${\" is not closed; write \"$${\" for the characters");
      length = close + 1;
      value = value_of(text.substr(2, close - 2));
    } else if (has_names && starts_name(next)) {
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
  if (path.empty()) return refused("\"${file:}\" names no file, which cannot be read");
  TrustedFile file = read_regular_file(folder_ / std::filesystem::path(path), kMaxSecretFile);
  if (!file.problem.empty()) return refused("the file " + file.problem);
  std::string text = std::move(file.bytes);
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
