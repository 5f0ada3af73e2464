#include "orchestration/tools/local_tools.h"

#include <utility>

#include "orchestration/tools/discover_tools.h"

namespace parley::orchestration::tools {
namespace {

class LocalTools final : public ToolSource {
 public:
  explicit LocalTools(LocalToolOptions options) : options_(std::move(options)) {}

  void configure(const ToolsFile& file) override {
    const std::uint64_t version = offer_.version + 1;
    offer_ = {.tools = {}, .issues = {}, .version = version};
    options_.commands.secrets = file.secrets;
    for (const ToolEntry& entry : file.tools) add(entry);
    for (const DiscoverEntry& entry : file.discover) discover(entry);
  }

  ToolOffer offer() override { return offer_; }

 private:
  void add(const ToolEntry& entry) {
    if (const auto* command = std::get_if<CommandEntry>(&entry)) {
      offer_.tools.push_back(make_command_tool(*command, options_.commands));
    } else if (const auto* builtin = std::get_if<BuiltinEntry>(&entry)) {
      offer_.tools.push_back(make_builtin_tool(*builtin, options_.builtins));
    }
  }

  void discover(const DiscoverEntry& entry) {
    DiscoveredTools found = discover_tools(entry, options_.commands);
    for (CommandEntry& tool : found.tools) {
      offer_.tools.push_back(make_command_tool(std::move(tool), options_.commands, entry.source));
    }
    for (ConfigIssue& issue : found.issues) offer_.issues.push_back(std::move(issue));
  }

  LocalToolOptions options_;
  ToolOffer offer_;
};

}  // namespace

std::unique_ptr<ToolSource> make_local_tools(LocalToolOptions options) {
  return std::make_unique<LocalTools>(std::move(options));
}

}  // namespace parley::orchestration::tools
