#include "app/cli/network_warning.h"

#include <cstddef>
#include <variant>
#include <vector>

namespace parley::app::cli {
namespace {

namespace tools = orchestration::tools;
namespace sandbox = orchestration::sandbox;

constexpr std::size_t kMaxNames = 10;

bool has_network(const tools::Launch& launch) {
  return launch.access.fence == sandbox::Fence::none || launch.access.network == sandbox::Network::on;
}

std::vector<std::string> programs_with_network(const tools::ToolsFile& file) {
  std::vector<std::string> names;
  for (const tools::McpServerEntry& server : file.mcp_servers) {
    const auto* launch = std::get_if<tools::Launch>(&server.transport);
    if (!server.disabled && launch != nullptr && has_network(*launch)) names.push_back(server.source);
  }
  for (const tools::ToolEntry& tool : file.tools) {
    const auto* command = std::get_if<tools::CommandEntry>(&tool);
    if (command != nullptr && has_network(command->launch)) names.push_back(command->settings.name);
  }
  for (const tools::DiscoverEntry& entry : file.discover) {
    if (has_network(entry.list) || has_network(entry.call)) names.push_back(entry.source);
  }
  return names;
}

}  // namespace

std::string network_warning(const tools::ToolsFile& file) {
  const std::vector<std::string> names = programs_with_network(file);
  if (names.empty()) return {};
  std::string list;
  for (std::size_t i = 0; i < names.size() && i < kMaxNames; ++i) list += (i == 0 ? "" : ", ") + names[i];
  if (names.size() > kMaxNames) list += " and " + std::to_string(names.size() - kMaxNames) + " more";
  return "warning: programs of tools that have the network (" + list +
         ") can connect to Parley itself and act as you there: read chats, and allow their own calls. Take "
         "it from "
         "those that need none (\"sandbox\": {\"network\": false}), or see docs/security.md";
}

}  // namespace parley::app::cli
