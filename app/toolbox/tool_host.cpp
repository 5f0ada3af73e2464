#include "app/toolbox/tool_host.h"

#include <algorithm>
#include <condition_variable>
#include <mutex>
#include <utility>

#include <boost/asio/post.hpp>

#include "inference/json/json_writer.h"
#include "orchestration/tools/tool_policy.h"

namespace parley::app::toolbox {
namespace {

namespace tools = orchestration::tools;
namespace turn = orchestration::turn;
using orchestration::mcp::ServerStatus;

constexpr std::size_t kLogLines = 20;

turn::ToolServer::State state_of(ServerStatus::State state) {
  switch (state) {
    case ServerStatus::State::starting:
      return turn::ToolServer::State::starting;
    case ServerStatus::State::ready:
      return turn::ToolServer::State::ready;
    case ServerStatus::State::failed:
      return turn::ToolServer::State::failed;
    case ServerStatus::State::restarting:
      return turn::ToolServer::State::restarting;
    case ServerStatus::State::ended:
      break;
  }
  return turn::ToolServer::State::off;
}

// As a template is given it.
std::string description_text(const tools::ToolSpec& spec) {
  inference::json::JsonObject function;
  function["name"] = spec.name;
  function["description"] = spec.description;
  function["parameters"] = spec.parameters;
  inference::json::JsonObject tool;
  tool["type"] = "function";
  tool["function"] = std::move(function);
  return inference::json::to_json_text(tool);
}

turn::ToolServer view_of(const tools::McpSource::NamedServer& named) {
  const ServerStatus status = named.server->status();
  turn::ToolServer view;
  view.name = named.name;
  view.state = state_of(status.state);
  view.error = status.reason;
  view.tools = static_cast<int>(named.server->tools()->tools.size());
  const auto log = named.server->log();
  const std::size_t first = log.size() - std::min(log.size(), kLogLines);
  for (std::size_t i = first; i < log.size(); ++i) view.log.push_back(log[i].text);
  return view;
}

std::string sentence_of(const tools::ConfigIssue& issue) {
  return issue.place.empty() ? issue.message : issue.place + ": " + issue.message;
}

}  // namespace

ToolHost::ToolHost(ToolHostOptions options, const turn::ChatModel& model,
                   const boost::asio::any_io_executor& executor)
    : model_(model),
      executor_(executor),
      pause_(options.pause),
      box_(std::move(options.file), options.data_dir, options.environment, std::move(options.outputs)),
      changed_(executor),
      watcher_([this](const std::stop_token& stop) { watch(stop); }) {}

ToolHost::~ToolHost() = default;

turn::ToolSnapshot ToolHost::snapshot() const {
  turn::ToolSnapshot snapshot;
  const auto state = box_.state();
  const tools::ToolPolicy policy(state->file ? state->file->permissions
                                             : std::vector<tools::PermissionRule>());
  const turn::TokenCounter count = model_.token_counter();
  const bool all_chosen = model_.info().tool_profile == turn::ToolProfile::native;
  for (const tools::ToolPointer& tool : state->tools.tools()) {
    const tools::ToolSpec& spec = tool->spec();
    turn::OfferedTool offered;
    offered.name = spec.name;
    offered.description = spec.description;
    offered.source = spec.source;
    offered.policy = policy.decide(spec);
    offered.tokens = static_cast<int>(count(description_text(spec)));
    offered.chosen = all_chosen && offered.policy != tools::Decision::deny;
    snapshot.tools.push_back(std::move(offered));
  }
  for (const auto& named : box_.servers()) snapshot.servers.push_back(view_of(named));
  if (!state->error.empty()) snapshot.problems.push_back(state->error);
  for (const tools::ConfigIssue& issue : state->issues) snapshot.problems.push_back(sentence_of(issue));
  return snapshot;
}

// What a person sees of them, so that only a difference is told.
std::string ToolHost::servers_as_seen() const {
  std::string seen;
  for (const auto& named : box_.servers()) {
    const turn::ToolServer view = view_of(named);
    seen += view.name + "\n" + std::to_string(static_cast<int>(view.state)) + view.error + "\n" +
            std::to_string(view.tools) + "\n" + (view.log.empty() ? "" : view.log.back()) + "\n";
  }
  return seen;
}

void ToolHost::watch(const std::stop_token& stop) {
  std::mutex mutex;
  std::condition_variable_any pause;
  std::string servers;
  while (!stop.stop_requested()) {
    const bool has_changed = box_.look();
    std::string now = servers_as_seen();
    if (has_changed || now != servers) {
      boost::asio::post(executor_, [this] {
        ++version_;
        changed_.notify();
      });
    }
    servers = std::move(now);
    std::unique_lock lock(mutex);
    pause.wait_for(lock, stop, pause_, [] { return false; });
  }
}

}  // namespace parley::app::toolbox
