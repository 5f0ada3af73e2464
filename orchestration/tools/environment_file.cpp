#include "orchestration/tools/environment_file.h"

#include <algorithm>
#include <cctype>
#include <optional>

namespace parley::orchestration::tools {
namespace {

constexpr std::string_view kBlanks = " \t\r";

std::string_view trimmed(std::string_view text) {
  const std::size_t begin = text.find_first_not_of(kBlanks);
  if (begin == std::string_view::npos) return {};
  return text.substr(begin, text.find_last_not_of(kBlanks) - begin + 1);
}

bool is_variable_name(std::string_view name) {
  return !name.empty() && std::isdigit(static_cast<unsigned char>(name[0])) == 0 &&
         std::all_of(name.begin(), name.end(),
                     [](char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; });
}

// The text between quotes: in double ones \n, \", \\ and \$ are escapes. Nullopt: the quotes do not close.
std::optional<std::string> unquoted(std::string_view text) {
  const char quote = text[0];
  std::string value;
  for (std::size_t i = 1; i < text.size(); ++i) {
    if (text[i] == quote) return value;
    if (quote == '"' && text[i] == '\\' && i + 1 < text.size()) {
      ++i;
      value += text[i] == 'n' ? '\n' : text[i];
    } else {
      value += text[i];
    }
  }
  return std::nullopt;
}

std::optional<std::string> line_value(std::string_view text) {
  text = trimmed(text);
  if (!text.empty() && (text[0] == '"' || text[0] == '\'')) return unquoted(text);
  return std::string(trimmed(text.substr(0, text.find(" #"))));
}

}  // namespace

EnvironmentFile parse_environment_file(std::string_view text) {
  EnvironmentFile file;
  for (std::size_t number = 1; !text.empty(); ++number) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    std::string_view line = trimmed(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
    if (line.empty() || line[0] == '#') continue;
    if (line.substr(0, 7) == "export ") line = trimmed(line.substr(7));
    const std::size_t equals = line.find('=');
    const std::string_view name = trimmed(line.substr(0, equals));
    const auto value = equals == std::string_view::npos ? std::nullopt : line_value(line.substr(equals + 1));
    if (value && is_variable_name(name)) {
      file.values[std::string(name)] = *value;
    } else if (file.bad_line == 0) {
      file.bad_line = number;
    }
  }
  return file;
}

}  // namespace parley::orchestration::tools
