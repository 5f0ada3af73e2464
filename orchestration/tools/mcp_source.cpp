#include "orchestration/tools/mcp_source.h"

#include <sys/stat.h>

#include <algorithm>
#include <filesystem>
#include <string_view>
#include <utility>
#include <variant>

#include "orchestration/mcp/http_transport.h"
#include "orchestration/mcp/stdio_transport.h"
#include "orchestration/sandbox/paths.h"
#include "orchestration/tools/clean_output.h"
#include "orchestration/tools/definition_hash.h"
#include "orchestration/tools/glob.h"
#include "orchestration/tools/mcp_tool.h"

namespace parley::orchestration::tools {
namespace {

using mcp::ServerStatus;

// Whether a program's fence holds a folder in which this file would be seen, were it not covered.
bool may_see_the_folder_of(const std::filesystem::path& file, const Launch& launch) {
  std::vector<std::filesystem::path> seen = launch.access.readable;
  seen.insert(seen.end(), launch.access.writable.begin(), launch.access.writable.end());
  seen.push_back(launch.working_directory);
  const std::filesystem::path program = launch.argv.empty() ? "" : launch.argv.front();
  if (program.is_absolute()) {
    const std::filesystem::path folder = program.parent_path();
    seen.push_back(folder.filename() == "bin" ? folder.parent_path() : folder);
  }
  return std::any_of(seen.begin(), seen.end(), [&](const std::filesystem::path& folder) {
    return !folder.empty() && sandbox::lies_in(file, folder);
  });
}

// Another file under the same name is not covered by the fence of a program that runs already: its server has
// to be started anew.
std::string file_identity(const std::filesystem::path& file) {
  struct stat status {};
  if (::stat(file.c_str(), &status) != 0) return "missing";
  return std::to_string(status.st_dev) + ":" + std::to_string(status.st_ino);
}

std::string fingerprint_of(const McpServerEntry& entry) {
  DefinitionHash hash;
  hash.add(entry.name);
  if (const auto* launch = std::get_if<Launch>(&entry.transport)) {
    hash.add("program").add(*launch);
    // What the fence hides is built into it; approvals do not hang on that, so it is no part of the launch's
    // hash.
    for (const auto* paths : {&launch->access.hidden, &launch->access.changeable}) {
      hash.add(std::to_string(paths->size()));
      for (const auto& path : *paths) hash.add(path.string());
    }
    for (const auto& path : launch->access.hidden) {
      if (may_see_the_folder_of(path, *launch)) hash.add(file_identity(path));
    }
    return hash.hex();
  }
  const auto& http = std::get<McpHttp>(entry.transport);
  hash.add("http").add(http.url);
  for (const auto& [name, value] : http.headers) hash.add(name).add(value);
  return hash.hex();
}

mcp::StdioEntry stdio_entry(const McpServerEntry& entry, const Launch& launch) {
  mcp::StdioEntry stdio;
  stdio.name = entry.name;
  stdio.argv = launch.argv;
  stdio.environment = launch.environment;
  stdio.working_directory = launch.working_directory;
  stdio.readable = launch.access.readable;
  stdio.writable = launch.access.writable;
  stdio.hidden = launch.access.hidden;
  stdio.changeable = launch.access.changeable;
  stdio.fence = launch.access.fence;
  stdio.network = launch.access.network;
  return stdio;
}

// A line that was too long ends with "…", before which the begin of a secret may stand.
std::string shown_line(std::string line, const std::vector<std::string>& secrets) {
  constexpr std::string_view kCut = "\xE2\x80\xA6";
  const bool is_cut = line.size() >= mcp::ServerLog::kMaxLineBytes && line.ends_with(kCut);
  line = redacted(std::move(line), secrets);
  if (!is_cut) return line;
  return std::string(without_end(line, kCut.size() + cut_margin(secrets))) + std::string(kCut);
}

// For the first time, so that nothing is wrong with it so far.
bool is_starting(const ServerStatus& status) {
  return status.state == ServerStatus::State::starting && status.reason.empty();
}

// Of one that is down; of others nothing.
std::string state_words(const ServerStatus& status) {
  switch (status.state) {
    case ServerStatus::State::starting:
      if (is_starting(status)) return {};
      [[fallthrough]];
    case ServerStatus::State::failed:
      return "cannot be started and is tried again: " + status.reason;
    case ServerStatus::State::restarting:
      return "is being restarted: " + status.reason;
    default:
      return {};
  }
}

}  // namespace

McpServerMaker make_mcp_server_maker(mcp::Surroundings surroundings,
                                     std::shared_ptr<const fetch::Fetcher> fetcher) {
  return [surroundings = std::move(surroundings), fetcher = std::move(fetcher)](
             const McpServerEntry& entry, std::function<void()> on_change) -> McpServerPointer {
    mcp::ServerSettings settings;
    settings.on_change = std::move(on_change);
    if (const auto* launch = std::get_if<Launch>(&entry.transport)) {
      mcp::StdioProfile profile = mcp::make_stdio_profile(stdio_entry(entry, *launch), surroundings);
      settings.notes = std::move(profile.notes);
      settings.transport = [program = std::move(profile.program)] {
        return mcp::make_stdio_transport(program, sandbox::start_piped_program);
      };
    } else {
      const auto& http = std::get<McpHttp>(entry.transport);
      const mcp::HttpEndpoint endpoint{
          .url = http.url, .headers = http.headers, .trusted_origins = {http.url}};
      settings.transport = [endpoint, fetcher] { return mcp::make_http_transport(endpoint, fetcher); };
    }
    return mcp::make_mcp_server(std::move(settings));
  };
}

McpSource::McpSource(McpServerMaker maker) : maker_(std::move(maker)) {}

McpServerPointer McpSource::running(const std::string& fingerprint) const {
  for (const Kept& kept : kept_) {
    if (kept.fingerprint == fingerprint) return kept.server;
  }
  return nullptr;
}

void McpSource::configure(const ToolsFile& file) {
  std::vector<Kept> next;
  ToolOffer old;
  for (const McpServerEntry& entry : file.mcp_servers) {
    if (entry.disabled) continue;
    Kept kept{.entry = entry, .fingerprint = fingerprint_of(entry), .server = nullptr};
    kept.server = running(kept.fingerprint);
    if (kept.server == nullptr) kept.server = maker_(entry, [version = version_] { ++*version; });
    next.push_back(std::move(kept));  // what throws leaves those of before; the registry tries again
  }
  {
    const std::lock_guard lock(mutex_);
    kept_.swap(next);
    old.tools.swap(offer_.tools);
    secrets_ = file.secrets;
  }
  ++*version_;
  // Ends those that the file no longer names, which may take a moment: not under the lock.
  old.tools.clear();
  next.clear();
}

ToolOffer McpSource::offer() {
  ToolOffer offer;
  offer.version = *version_;  // first: a change from here on is seen the next time
  const std::lock_guard lock(mutex_);
  if (offer.version == offer_.version) {
    for (const Kept& kept : kept_) kept.server->tools();  // asks again for a list that is no longer fresh
    return offer_;
  }
  for (const Kept& kept : kept_) {
    const auto list = kept.server->tools();
    for (const mcp::ToolDefinition& tool : list->tools) {
      if (!is_wanted(tool.name, kept.entry.include, kept.entry.exclude)) continue;
      McpToolLimits limits;
      limits.secrets = secrets_;
      offer.tools.push_back(make_mcp_tool(kept.server, tool, kept.entry, std::move(limits)));
    }
    const ServerStatus status = kept.server->status();
    if (is_starting(status)) offer.starting.push_back(kept.entry.name);
    const std::string words = state_words(status);
    if (words.empty()) continue;
    offer.issues.push_back({.severity = ConfigIssue::Severity::warning,
                            .place = "mcpServers." + kept.entry.name,
                            .message = "the server " + words});
  }
  offer_ = offer;
  return offer;
}

mcp::ServerStatus McpSource::NamedServer::shown_status() const {
  ServerStatus status = server->status();
  status.reason = redacted(std::move(status.reason), secrets);
  return status;
}

std::vector<std::string> McpSource::NamedServer::newest_log(std::size_t max_lines) const {
  std::vector<mcp::LogLine> log = server->log();
  std::vector<std::string> lines;
  for (std::size_t i = log.size() - std::min(log.size(), max_lines); i < log.size(); ++i) {
    lines.push_back(shown_line(std::move(log[i].text), secrets));
  }
  return lines;
}

std::vector<McpSource::NamedServer> McpSource::servers() const {
  const std::lock_guard lock(mutex_);
  std::vector<NamedServer> named;
  for (const Kept& kept : kept_) named.push_back({kept.entry.name, kept.server, secrets_});
  return named;
}

}  // namespace parley::orchestration::tools
