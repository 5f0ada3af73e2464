#include "app/cli/tool_box.h"

#include <algorithm>
#include <stdexcept>
#include <thread>
#include <utility>

#include "orchestration/fetch/fetch.h"
#include "orchestration/tools/local_tools.h"
#include "orchestration/tools/remote_tools.h"

namespace parley::app::cli {
namespace {

namespace tools = orchestration::tools;
using State = orchestration::mcp::ServerStatus::State;

constexpr std::chrono::milliseconds kPoll{50};

std::filesystem::path config_home(const config::Environment& environment) {
  if (const auto home = environment("XDG_CONFIG_HOME"); home && !home->empty()) return *home;
  if (const auto home = environment("HOME"); home && !home->empty())
    return std::filesystem::path(*home) / ".config";
  return {};
}

// Parley's own, whatever tools file is used; empty: there is no such folder.
std::filesystem::path config_folder(const config::Environment& environment) {
  const std::filesystem::path home = config_home(environment);
  return home.empty() ? home : home / "parley";
}

orchestration::mcp::Surroundings surroundings_of(const OwnPlaces& own,
                                                 const config::Environment& environment) {
  orchestration::mcp::Surroundings surroundings;
  surroundings.data_folder = own.data_folder;
  surroundings.own_files = own.files;
  surroundings.config_folder = config_folder(environment);
  surroundings.search_path = environment("PATH").value_or("/usr/bin:/bin");
  surroundings.user_home = environment("HOME").value_or("");
  return surroundings;
}

std::vector<std::unique_ptr<tools::ToolSource>> make_sources(
    std::unique_ptr<tools::McpSource> servers, const orchestration::mcp::Surroundings& surroundings,
    const std::shared_ptr<const orchestration::fetch::Fetcher>& fetcher,
    std::shared_ptr<const tools::StoredOutputs> outputs) {
  tools::LocalToolOptions local;
  local.builtins.outputs = std::move(outputs);
  local.commands.hidden = surroundings.own_files;
  local.commands.hidden.push_back(surroundings.data_folder);
  local.commands.config_folder = surroundings.config_folder;
  tools::RemoteToolOptions remote;
  remote.fetcher = fetcher;
  std::vector<std::unique_ptr<tools::ToolSource>> sources;
  sources.push_back(tools::make_local_tools(std::move(local)));
  sources.push_back(tools::make_remote_tools(std::move(remote)));
  sources.push_back(std::move(servers));
  return sources;
}

}  // namespace

std::filesystem::path default_tools_file(const config::Environment& environment) {
  const std::filesystem::path folder = config_folder(environment);
  return folder.empty() ? folder : folder / "tools.json";  // never one of the current folder
}

std::filesystem::path find_tools_file(const std::optional<std::string>& named,
                                      const config::Environment& environment) {
  std::filesystem::path file = named ? std::filesystem::path(*named) : default_tools_file(environment);
  if (std::filesystem::exists(file)) return std::filesystem::absolute(file);
  throw std::runtime_error(named ? "there is no file " + file.string()
                                 : "name a tools file: there is none at " + file.string() +
                                       "; config/tools.json is one to start from");
}

ToolBox::ToolBox(std::filesystem::path file, const OwnPlaces& own, const config::Environment& environment,
                 std::shared_ptr<const tools::StoredOutputs> outputs)
    : ToolBox(std::move(file), environment, make_parts(own, environment, std::move(outputs))) {}

ToolBox::ToolBox(std::filesystem::path file, const config::Environment& environment, Parts parts)
    : servers_(parts.servers), registry_(std::move(file), environment, std::move(parts.sources)) {}

ToolBox::Parts ToolBox::make_parts(const OwnPlaces& own, const config::Environment& environment,
                                   std::shared_ptr<const tools::StoredOutputs> outputs) {
  const std::shared_ptr<const orchestration::fetch::Fetcher> fetcher = orchestration::fetch::make_fetcher();
  const orchestration::mcp::Surroundings surroundings = surroundings_of(own, environment);
  auto servers = std::make_unique<tools::McpSource>(tools::make_mcp_server_maker(surroundings, fetcher));
  tools::McpSource* watched = servers.get();
  return {watched, make_sources(std::move(servers), surroundings, fetcher, std::move(outputs))};
}

void ToolBox::refresh(std::chrono::milliseconds patience, const std::stop_token& stop,
                      const std::string& tool) {
  const auto deadline = std::chrono::steady_clock::now() + patience;
  registry_.refresh();
  while (!is_settled(tool) && std::chrono::steady_clock::now() < deadline && !stop.stop_requested()) {
    std::this_thread::sleep_for(kPoll);
    registry_.refresh();
  }
  if (!stop.stop_requested()) registry_.refresh();
}

bool ToolBox::is_settled(const std::string& tool) const {
  const auto now = state();
  if (!tool.empty() && now->tools.find(tool)) return true;
  if (!now->starting.empty()) return false;
  const auto all = servers();
  return std::none_of(all.begin(), all.end(), [](const tools::McpSource::NamedServer& named) {
    return named.server->status().state == State::starting;
  });
}

}  // namespace parley::app::cli
