#pragma once
// The tools of a file with all they need: sources, servers, fences. refresh() and poll() may block for
// seconds and belong to one thread, state() and servers() to any. Throws std::runtime_error with a sentence
// when there is no file to read.

#include <chrono>
#include <filesystem>
#include <memory>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

#include "app/config/load_config.h"
#include "orchestration/tools/mcp_source.h"
#include "orchestration/tools/stored_outputs.h"
#include "orchestration/tools/tool_registry.h"

namespace parley::app::cli {

// `named` by the user, else tools.json in the user's configuration folder, if there is one: never a file that
// happens to lie in the current folder.
std::filesystem::path find_tools_file(const std::optional<std::string>& named,
                                      const config::Environment& environment);

// tools.json in the user's configuration folder, whether it is there or not; empty: there is no such folder.
std::filesystem::path default_tools_file(const config::Environment& environment);

// What no program of a tool is to see, beside the tools file and its secrets.
struct OwnPlaces {
  std::filesystem::path data_folder;
  std::vector<std::filesystem::path> files = {};  // such as a configuration with the access key
};

class ToolBox {
 public:
  // `outputs`: what read_tool_output reads; nullptr: nothing is stored.
  ToolBox(std::filesystem::path file, const OwnPlaces& own, const config::Environment& environment,
          std::shared_ptr<const orchestration::tools::StoredOutputs> outputs = nullptr);

  // Looks once at the file and at the servers.
  void poll() { registry_.refresh(); }

  // Reads the file, and waits until every server has started, or failed to, for `patience` at most, and not
  // beyond a stop. With `tool`: only until that tool is there.
  void refresh(std::chrono::milliseconds patience, const std::stop_token& stop, const std::string& tool = {});

  std::shared_ptr<const orchestration::tools::RegistryState> state() const { return registry_.current(); }
  std::vector<orchestration::tools::McpSource::NamedServer> servers() const { return servers_->servers(); }

 private:
  struct Parts {
    orchestration::tools::McpSource* servers;
    std::vector<std::unique_ptr<orchestration::tools::ToolSource>> sources;
  };
  static Parts make_parts(const OwnPlaces& own, const config::Environment& environment,
                          std::shared_ptr<const orchestration::tools::StoredOutputs> outputs);
  ToolBox(std::filesystem::path file, const config::Environment& environment, Parts parts);
  bool is_settled(const std::string& tool) const;

  orchestration::tools::McpSource* servers_;  // owned by registry_
  orchestration::tools::ToolRegistry registry_;
};

}  // namespace parley::app::cli
