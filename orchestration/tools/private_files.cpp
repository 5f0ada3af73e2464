#include "orchestration/tools/private_files.h"

#include <algorithm>
#include <cstddef>
#include <string>
#include <string_view>
#include <utility>
#include <variant>

namespace parley::orchestration::tools {
namespace {

using inference::json::JsonValue;
using Paths = std::vector<std::filesystem::path>;

class FileFinder {
 public:
  explicit FileFinder(ConfigVariables& variables) : variables_(variables) {}

  void look_into(const JsonValue& value) {
    if (value.is_string()) return look_into(std::string_view(value.get_string()));
    if (value.is_array()) {
      for (const JsonValue& element : value.get_array()) look_into(element);
    } else if (value.is_object()) {
      for (const auto& field : value.get_object()) {
        if (field.key() == "envFile" && field.value().is_string())
          add_environment_file(field.value().get_string());
        look_into(field.value());
      }
    }
  }

  Paths take() { return std::move(found_); }

 private:
  void look_into(std::string_view text) {
    constexpr std::string_view kOpen = "${file:";
    for (std::size_t at = text.find(kOpen); at != std::string_view::npos; at = text.find(kOpen)) {
      text.remove_prefix(at + kOpen.size());
      const std::size_t close = text.find('}');
      if (close == std::string_view::npos || close == 0) continue;
      add((variables_.folder() / text.substr(0, close)).lexically_normal());
    }
  }

  void add_environment_file(std::string_view name) {
    const Expansion expansion = variables_.expand(name);
    if (expansion.problem.empty() && !expansion.text.empty()) add(variables_.absolute(expansion.text));
  }

  void add(std::filesystem::path file) {
    if (std::find(found_.begin(), found_.end(), file) == found_.end()) found_.push_back(std::move(file));
  }

  ConfigVariables& variables_;
  Paths found_;
};

template <typename Change>
void change_launches(ToolsFile& file, const Change& change) {
  for (ToolEntry& tool : file.tools) {
    if (auto* command = std::get_if<CommandEntry>(&tool)) change(command->launch);
  }
  for (McpServerEntry& server : file.mcp_servers) {
    if (auto* launch = std::get_if<Launch>(&server.transport)) change(*launch);
  }
  for (DiscoverEntry& entry : file.discover) {
    change(entry.list);
    change(entry.call);
  }
}

}  // namespace

Paths files_with_secrets(const JsonValue& root, ConfigVariables& variables) {
  FileFinder finder(variables);
  finder.look_into(root);
  return finder.take();
}

void hide_from_programs(ToolsFile& file, const Paths& paths) {
  change_launches(file, [&](Launch& launch) {
    launch.access.hidden.insert(launch.access.hidden.end(), paths.begin(), paths.end());
  });
}

void tell_writable_folders(ToolsFile& file) {
  Paths writable;
  change_launches(file, [&](const Launch& launch) {
    writable.insert(writable.end(), launch.access.writable.begin(), launch.access.writable.end());
  });
  std::sort(writable.begin(), writable.end());
  writable.erase(std::unique(writable.begin(), writable.end()), writable.end());
  change_launches(file, [&](Launch& launch) { launch.access.changeable = writable; });
}

}  // namespace parley::orchestration::tools
