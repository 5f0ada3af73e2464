#include "orchestration/tools/read_mcp_server.h"

#include <utility>

#include "orchestration/tools/read_headers.h"
#include "orchestration/tools/read_launch.h"

namespace parley::orchestration::tools {
namespace {

std::vector<std::string> all_texts(EntryReader& reader, std::initializer_list<std::string_view> keys) {
  std::vector<std::string> all;
  for (const std::string_view key : keys) {
    for (std::string& text : reader.texts(key)) all.push_back(std::move(text));
  }
  return all;
}

void read_filters(EntryReader& reader, McpServerEntry& server) {
  server.include =
      all_texts(reader, {"includeTools", "allowed_tools", "allowedTools", "enabledTools", "tools"});
  server.exclude = all_texts(reader, {"excludeTools", "disabledTools"});
  // Cline and Roo know a switch beside the list.
  for (const char* key : {"autoApprove", "alwaysAllow"}) {
    const auto* value = reader.find(key);
    if (value != nullptr && value->is_bool()) {
      if (value->get_bool()) server.auto_approve.emplace_back("*");
      continue;
    }
    for (std::string& glob : reader.texts(key)) server.auto_approve.push_back(std::move(glob));
  }
  if (reader.flag("trust").value_or(false)) server.auto_approve.emplace_back("*");
  server.approval = reader.decision("approval");
}

McpHttp read_remote(EntryReader& reader, std::string_view url_key) {
  return {.url = read_url(reader, url_key), .headers = read_headers(reader, "headers")};
}

void read_type(EntryReader& reader, bool remote) {
  const auto type = reader.choice("type", {"stdio", "local", "http", "streamable-http", "streamableHttp",
                                           "streamable_http", "remote", "sse"});
  if (!type) return;
  const bool says_remote = *type >= 2;
  if (says_remote != remote) {
    reader.refuse("type", remote ? "this type needs a \"command\"" : "this type needs a \"url\"");
  }
}

}  // namespace

std::optional<McpServerEntry> read_mcp_server(ReadingState& state, const inference::json::JsonObject& object,
                                              const std::string& name, const std::string& place) {
  EntryReader reader(state, object, ObjectKind::mcp_server, place);
  McpServerEntry server;
  server.name = name;
  server.source = "mcp:" + name;
  server.disabled = reader.flag("disabled").value_or(false) || !reader.flag("enabled").value_or(true);
  if (server.disabled && !reader.refused()) return server;  // what it needs may be missing here
  const std::string_view url_key = reader.first_of({"url", "httpUrl", "serverUrl"});
  const bool remote = !url_key.empty();
  if (name.empty()) reader.refuse("", "the server has no name");
  if (!remote && reader.find("command") == nullptr) {
    reader.refuse("", "nothing says how to reach the server; add \"command\" or \"url\"");
  }
  if (remote && reader.find("command") != nullptr) {
    reader.refuse("", "either \"command\" or \"url\", not both");
  }
  read_type(reader, remote);
  server.timeout = reader.milliseconds("timeout");
  read_filters(reader, server);
  if (remote) {
    server.transport = read_remote(reader, url_key);
  } else if (!reader.refused()) {
    server.transport = read_launch(
        reader, "command", {.network = sandbox::Network::on, .path = LaunchDefaults::Path::of_the_starter});
  }
  if (reader.refused()) return std::nullopt;
  return server;
}

}  // namespace parley::orchestration::tools
