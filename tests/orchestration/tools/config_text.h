#pragma once
// Tools files as text, read with a small environment.

#include <algorithm>
#include <map>
#include <string>
#include <variant>
#include <vector>

#include "orchestration/tools/read_tools_file.h"

namespace parley::orchestration::tools {

inline Environment environment_of(std::map<std::string, std::string> values) {
  return [values = std::move(values)](const std::string& name) -> std::optional<std::string> {
    const auto found = values.find(name);
    return found == values.end() ? std::nullopt : std::optional(found->second);
  };
}

inline ToolsFile read_config(std::string_view text, const std::filesystem::path& folder = "/nowhere") {
  return parse_tools_file(
      text, folder, environment_of({{"HOME", "/home/ada"}, {"LANG", "de"}, {"FILES_KEY", "sesame-42"}}));
}

inline std::vector<std::string> issues_of(const ToolsFile& file) {
  std::vector<std::string> texts;
  for (const ConfigIssue& issue : file.issues) texts.push_back(issue_text(issue));
  return texts;
}

inline bool mentions(const ToolsFile& file, std::string_view words) {
  const auto texts = issues_of(file);
  return std::any_of(texts.begin(), texts.end(),
                     [&](const std::string& text) { return text.find(words) != std::string::npos; });
}

inline bool contains(const std::vector<std::string>& list, std::string_view text) {
  return std::find(list.begin(), list.end(), text) != list.end();
}

}  // namespace parley::orchestration::tools
