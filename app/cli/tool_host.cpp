#include "app/cli/tool_host.h"

#include <algorithm>
#include <cctype>
#include <exception>
#include <string>
#include <system_error>
#include <utility>
#include <vector>

#include <boost/asio/post.hpp>

#include "app/cli/network_warning.h"
#include "app/cli/tool_report.h"
#include "orchestration/tools/read_tools_file.h"
#include "orchestration/tools/tool_policy.h"
#include "orchestration/turn/wakeup.h"

namespace parley::app::cli {
namespace {

namespace tools = orchestration::tools;
namespace turn = orchestration::turn;
using McpState = orchestration::mcp::ServerStatus::State;

constexpr std::size_t kShownLogLines = 50;
constexpr std::size_t kBytesOfToken = 4;  // of JSON in English, about

turn::ToolServer::State shown_state(McpState state) {
  switch (state) {
    case McpState::starting:
      return turn::ToolServer::State::starting;
    case McpState::ready:
      return turn::ToolServer::State::ready;
    case McpState::failed:
      return turn::ToolServer::State::failed;
    case McpState::restarting:
      return turn::ToolServer::State::restarting;
    case McpState::ended:
      break;
  }
  return turn::ToolServer::State::off;
}

// Of a clause, "exited with status 1".
std::string sentence_of(std::string clause) {
  if (clause.empty()) return clause;
  clause[0] = static_cast<char>(std::toupper(static_cast<unsigned char>(clause[0])));
  return clause.ends_with('.') ? clause : clause + ".";
}

turn::ToolServer shown_server(const tools::McpSource::NamedServer& named) {
  turn::ToolServer server;
  server.name = named.name;
  const auto status = named.shown_status();
  server.state = shown_state(status.state);
  if (status.state != McpState::ready) server.error = sentence_of(status.reason);
  server.tools = static_cast<int>(named.server->tools()->tools.size());
  server.log = named.newest_log(kShownLogLines);
  return server;
}

std::vector<turn::ToolServer> shown_servers(const tools::ToolsFile& file,
                                            const std::vector<tools::McpSource::NamedServer>& running) {
  std::vector<turn::ToolServer> servers;
  servers.reserve(running.size());
  for (const auto& named : running) servers.push_back(shown_server(named));
  for (const tools::McpServerEntry& entry : file.mcp_servers) {
    if (!entry.disabled) continue;
    servers.emplace_back().name = entry.name;
    servers.back().state = turn::ToolServer::State::off;
  }
  std::sort(servers.begin(), servers.end(),
            [](const turn::ToolServer& a, const turn::ToolServer& b) { return a.name < b.name; });
  return servers;
}

std::size_t tokens_of(const tools::ToolSpec& spec, const turn::TokenCounter& count) {
  const std::string text = prompt_text(spec);
  return count ? count(text) : (text.size() + kBytesOfToken - 1) / kBytesOfToken;
}

std::vector<turn::OfferedTool> shown_tools(const tools::RegistryState& state, DefaultTools chosen,
                                           const turn::TokenCounter& count) {
  const tools::ToolPolicy policy(state.file->permissions);
  std::vector<turn::OfferedTool> offered;
  for (const tools::ToolPointer& tool : state.tools.tools()) {
    const tools::ToolSpec& spec = tool->spec();
    turn::OfferedTool& one = offered.emplace_back();
    one.name = spec.name;
    one.description = spec.description;
    one.source = spec.source;
    one.policy = policy.decide(spec);
    one.tokens = static_cast<int>(tokens_of(spec, count));
    one.chosen = chosen == DefaultTools::all && one.policy != tools::Decision::deny;
  }
  return offered;
}

// Nobody has written it yet.
bool is_missing(const tools::RegistryState& state, const std::filesystem::path& file) {
  std::error_code ignored;
  return state.file->content_hash.empty() && !std::filesystem::exists(file, ignored);
}

std::vector<std::string> shown_problems(const tools::RegistryState& state,
                                        const std::filesystem::path& file) {
  std::vector<std::string> problems;
  if (!state.error.empty() && !is_missing(state, file)) problems.push_back(state.error);
  for (const tools::ConfigIssue& issue : state.issues) problems.push_back(tools::issue_text(issue));
  return problems;
}

// What clients are told at once; the lines of logs they see when they ask.
bool same_but_for_logs(turn::ToolSnapshot a, turn::ToolSnapshot b) {
  for (turn::ToolServer& server : a.servers) server.log.clear();
  for (turn::ToolServer& server : b.servers) server.log.clear();
  return a == b;
}

}  // namespace

struct ToolHost::Shown {
  explicit Shown(const boost::asio::any_io_executor& executor) : changed(executor) {}

  turn::ToolSnapshot snapshot;
  std::uint64_t version = 0;
  turn::Wakeup changed;
  std::function<void()> told_of_changes;

  void show(turn::ToolSnapshot next) {
    const bool told = !same_but_for_logs(snapshot, next);
    snapshot = std::move(next);
    if (told) tell();
  }
  void tell() {
    ++version;
    changed.notify();
    if (told_of_changes) told_of_changes();
  }
};

ToolHost::ToolHost(std::unique_ptr<ToolBox> box, const boost::asio::any_io_executor& executor,
                   const ToolHostOptions& options)
    : box_(std::move(box)),
      executor_(executor),
      options_(options),
      shown_(std::make_shared<Shown>(executor)) {
  newest_.file = options_.file.string();
  shown_->snapshot = newest_;
  thread_ = std::thread([this] { watch(); });
}

ToolHost::~ToolHost() {
  {
    const std::lock_guard lock(mutex_);
    stopping_ = true;
  }
  woken_.notify_all();
  thread_.join();
}

turn::ToolSnapshot ToolHost::snapshot() const { return shown_->snapshot; }
std::shared_ptr<const tools::RegistryState> ToolHost::registry() const { return box_->state(); }
std::uint64_t ToolHost::version() const { return shown_->version; }
boost::asio::awaitable<void> ToolHost::changed() { return shown_->changed.wait(); }
void ToolHost::tell() { shown_->tell(); }

void ToolHost::count_with(turn::TokenCounter count) {
  {
    const std::lock_guard lock(mutex_);
    next_count_ = std::move(count);
  }
  woken_.notify_all();
}

void ToolHost::tell_changes(std::function<void()> told) { shown_->told_of_changes = std::move(told); }

void ToolHost::watch() {
  std::unique_lock lock(mutex_);
  while (!stopping_) {
    lock.unlock();
    try {
      look();
    } catch (const std::exception& error) {  // memory or threads have run out: tried again at the next look
      log_new({std::string("tools could not be brought up to date: ") + error.what()});
    }
    lock.lock();
    woken_.wait_for(lock, options_.interval, [this] { return stopping_ || next_count_; });
  }
}

// Those that are new.
void ToolHost::log_new(std::vector<std::string> lines) {
  std::erase(lines, "");
  for (const std::string& line : lines) {
    if (options_.log && std::find(told_.begin(), told_.end(), line) == told_.end())
      options_.log("tools: " + line);
  }
  told_ = std::move(lines);
}

bool ToolHost::take_count() {
  const std::lock_guard lock(mutex_);
  if (!next_count_) return false;
  count_ = std::move(*next_count_);
  next_count_.reset();
  return true;
}

void ToolHost::look() {
  const bool recounts = take_count();
  box_->poll();
  const auto state = box_->state();
  turn::ToolSnapshot next = newest_;
  if (recounts || state->version != registry_version_) {
    next.tools = shown_tools(*state, options_.chosen, count_);
    next.counted = static_cast<bool>(count_);
    next.problems = shown_problems(*state, options_.file);
    std::vector<std::string> lines = next.problems;
    if (options_.door == OwnDoor::open) lines.push_back(network_warning(*state->file));
    log_new(std::move(lines));
    registry_version_ = state->version;
  }
  next.servers = shown_servers(*state->file, box_->servers());
  if (next == newest_) return;
  newest_ = next;
  boost::asio::post(executor_,
                    [shown = shown_, next = std::move(next)]() mutable { shown->show(std::move(next)); });
}

}  // namespace parley::app::cli
