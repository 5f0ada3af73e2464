#include "orchestration/tools/local_tools.h"

#include <algorithm>
#include <utility>

#include "orchestration/tools/background_readings.h"
#include "orchestration/tools/definition_hash.h"
#include "orchestration/tools/discover_tools.h"

namespace parley::orchestration::tools {
namespace {

bool is_fenced(const Launch& launch) { return launch.access.fence == sandbox::Fence::bubblewrap; }

bool has_fenced_programs(const ToolsFile& file) {
  const auto is_fenced_tool = [](const ToolEntry& entry) {
    const auto* command = std::get_if<CommandEntry>(&entry);
    return command != nullptr && is_fenced(command->launch);
  };
  return std::any_of(file.tools.begin(), file.tools.end(), is_fenced_tool) ||
         std::any_of(file.discover.begin(), file.discover.end(), [](const DiscoverEntry& entry) {
           return is_fenced(entry.list) || is_fenced(entry.call);
         });
}

class LocalTools final : public ToolSource {
 public:
  explicit LocalTools(LocalToolOptions options)
      : options_(std::move(options)), readings_(options_.retry_pause) {}

  void configure(const ToolsFile& file) override {
    own_.clear();
    options_.commands.secrets = file.secrets;
    for (const ToolEntry& entry : file.tools) add(entry);
    std::vector<BackgroundReadings::Wanted> wanted;
    if (has_fenced_programs(file)) wanted.push_back(probe());
    for (const DiscoverEntry& entry : file.discover) wanted.push_back(listing(entry));
    readings_.replace(std::move(wanted));
  }

  ToolOffer offer() override {
    const std::uint64_t version = readings_.version();  // first: a change from here on is seen the next time
    if (version == offer_.version) return offer_;
    offer_ = {.tools = own_, .issues = {}, .version = version};
    readings_.add_to(offer_);
    return offer_;
  }

 private:
  void add(const ToolEntry& entry) {
    if (const auto* command = std::get_if<CommandEntry>(&entry)) {
      own_.push_back(make_command_tool(*command, options_.commands));
    } else if (const auto* builtin = std::get_if<BuiltinEntry>(&entry)) {
      own_.push_back(make_builtin_tool(*builtin, options_.builtins));
    }
  }

  // So that the operator is told before a model calls the first of them.
  BackgroundReadings::Wanted probe() const {
    const auto read = [fence_problem = options_.fence_problem](const std::stop_token&) {
      ReadTools found;
      std::string problem = fence_problem();
      found.failed = !problem.empty();
      if (found.failed)
        found.issues.push_back(
            {.severity = ConfigIssue::Severity::error, .place = "sandbox", .message = std::move(problem)});
      return found;
    };
    return {
        .place = "sandbox", .fingerprint = "fence", .read = read, .shown = BackgroundReadings::Shown::never};
  }

  BackgroundReadings::Wanted listing(const DiscoverEntry& entry) const {
    const auto read = [entry, commands = options_.commands](const std::stop_token& stop) {
      DiscoveredTools listed = discover_tools(entry, commands, stop);
      ReadTools found{.tools = {}, .issues = std::move(listed.issues), .failed = listed.failed};
      for (CommandEntry& tool : listed.tools)
        found.tools.push_back(make_command_tool(std::move(tool), commands, entry.source));
      return found;
    };
    return {.place = entry.source,
            .fingerprint = DefinitionHash().add(entry.source).add(entry.list).add(entry.call).hex(),
            .read = read};
  }

  LocalToolOptions options_;
  std::vector<ToolPointer> own_;
  BackgroundReadings readings_;
  ToolOffer offer_;
};

}  // namespace

std::unique_ptr<ToolSource> make_local_tools(LocalToolOptions options) {
  return std::make_unique<LocalTools>(std::move(options));
}

}  // namespace parley::orchestration::tools
