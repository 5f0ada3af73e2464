#include "orchestration/tools/read_tools_file.h"

#include <algorithm>
#include <set>
#include <system_error>
#include <utility>

#include "orchestration/tools/parse_config.h"
#include "orchestration/tools/private_files.h"
#include "orchestration/tools/read_mcp_server.h"
#include "orchestration/tools/read_other_entries.h"
#include "orchestration/tools/read_tool_entry.h"
#include "orchestration/tools/sha256.h"
#include "orchestration/tools/tool_name.h"
#include "orchestration/tools/trusted_file.h"

namespace parley::orchestration::tools {
namespace {

using inference::json::JsonArray;
using inference::json::JsonObject;
using inference::json::JsonValue;

ToolsFile unusable(std::string message) {
  ToolsFile file;
  file.usable = false;
  file.issues.push_back(
      {.severity = ConfigIssue::Severity::error, .place = {}, .message = std::move(message)});
  return file;
}

// The glob of a server's own names as one over the names that models see.
std::string mapped_glob(const std::string& server, const std::string& glob) {
  std::string mapped = mapped_name(server, "");
  for (const char c : glob)
    mapped += c == '*' || c == '?' ? std::string(1, c) : mapped_name(std::string_view(&c, 1));
  return mapped;
}

class FileReader {
 public:
  FileReader(ToolsFile& file, ConfigVariables& variables)
      : file_(file), state_{.variables = variables, .issues = file.issues} {}

  void read(const JsonObject& root) {
    EntryReader reader(state_, root, ObjectKind::file, "");
    read_permissions(root);  // first: what the file says outright is seen first in lists
    if (const JsonValue* tools = reader.find("tools")) read_tools(*tools);
    for (const char* key : {"mcpServers", "servers", "mcp"}) {
      if (const JsonValue* servers = reader.find(key)) read_servers(*servers, key);
    }
    if (const JsonValue* list = reader.find("openapi")) read_list(*list, "openapi", &FileReader::add_openapi);
    if (const JsonValue* list = reader.find("discover"))
      read_list(*list, "discover", &FileReader::add_discover);
    if (const JsonObject* limits = reader.object("limits"))
      file_.limits = read_limits(state_, *limits, "limits");
    compare_times();
  }

  void read_tools(const JsonValue& tools) {
    if (tools.is_array()) return read_list(tools, "tools", &FileReader::add_unnamed_tool);
    if (!tools.is_object())
      return complain("tools", "expected an object { \"name\": { … } }, or a list of tools");
    for (const auto& field : tools.get_object()) {
      const std::string key = field.key();
      const std::string place = "tools." + key;
      if (!field.value().is_object()) {
        complain(place, "expected an object { … }");
      } else {
        add_tool(field.value().get_object(), key, place);
      }
    }
  }

 private:
  using AddEntry = void (FileReader::*)(const JsonObject&, const std::string&);

  void complain(std::string place, std::string message) {
    file_.issues.push_back(
        {.severity = ConfigIssue::Severity::error, .place = std::move(place), .message = std::move(message)});
  }

  void read_list(const JsonValue& list, const std::string& key, AddEntry add) {
    if (!list.is_array()) return complain(key, "expected a list [ … ]");
    std::size_t index = 0;
    for (const JsonValue& item : list.get_array()) {
      const std::string place = key + '[' + std::to_string(index++) + ']';
      if (item.is_object()) {
        (this->*add)(item.get_object(), place);
      } else {
        complain(place, "expected an object { … }");
      }
    }
  }

  void add_unnamed_tool(const JsonObject& object, const std::string& place) { add_tool(object, "", place); }

  void add_tool(const JsonObject& object, const std::string& key, const std::string& place) {
    auto tool = read_tool_entry(state_, object, key, place);
    if (!tool) return;
    const ToolSettings& settings = settings_of(*tool);
    if (!names_.insert(settings.name).second) {
      return complain(place,
                      "a tool before it is called \"" + settings.name + "\" too; give it another name");
    }
    if (settings.approval) {
      file_.permissions.push_back(
          {.tool = settings.name, .source = std::string(source_of(*tool)), .decision = *settings.approval});
    }
    file_.tools.push_back(std::move(*tool));
  }

  void read_servers(const JsonValue& servers, const std::string& key) {
    if (!servers.is_object()) return complain(key, "expected an object { \"name\": { … } }");
    const JsonObject& object = servers.get_object();
    // The settings of VS Code hold the map one level further down: "mcp": {"servers": {…}, "inputs": […]}.
    const JsonValue* nested = object.if_contains("servers");
    const bool is_server = nested != nullptr && nested->is_object() &&
                           (nested->get_object().contains("command") || nested->get_object().contains("url"));
    if (nested != nullptr && nested->is_object() && !is_server)
      return read_servers(*nested, key + ".servers");
    for (const auto& field : object) {
      const std::string name = field.key();
      std::string place = key;
      place += '.';
      place += name;
      if (field.value().is_object()) {
        add_server(field.value().get_object(), name, place);
      } else {
        complain(place, "expected an object { … }");
      }
    }
  }

  void add_server(const JsonObject& object, const std::string& name, const std::string& place) {
    auto server = read_mcp_server(state_, object, name, place);
    if (!server) return;
    if (!servers_.insert(name).second) {
      return complain(place, "a server before it is called \"" + name + "\" too; give it another name");
    }
    for (const std::string& glob : server->auto_approve) {
      file_.permissions.push_back(
          {.tool = mapped_glob(name, glob), .source = server->source, .decision = Decision::automatic});
    }
    if (server->approval) {
      file_.permissions.push_back({.tool = "*", .source = server->source, .decision = *server->approval});
    }
    file_.mcp_servers.push_back(std::move(*server));
  }

  void add_openapi(const JsonObject& object, const std::string& place) {
    auto entry = read_openapi_entry(state_, object, file_.openapi.size(), place);
    if (!entry) return;
    if (entry->approval) {
      file_.permissions.push_back({.tool = "*", .source = entry->source, .decision = *entry->approval});
    }
    file_.openapi.push_back(std::move(*entry));
  }

  void add_discover(const JsonObject& object, const std::string& place) {
    auto entry = read_discover_entry(state_, object, file_.discover.size(), place);
    if (!entry) return;
    if (entry->approval) {
      file_.permissions.push_back({.tool = "*", .source = entry->source, .decision = *entry->approval});
    }
    file_.discover.push_back(std::move(*entry));
  }

  void read_permissions(const JsonObject& root) {
    const JsonValue* list = root.if_contains("permissions");
    if (list != nullptr) read_list(*list, "permissions", &FileReader::add_permission);
  }

  void compare_times() {
    for (const ToolEntry& tool : file_.tools)
      compare_time("tools." + settings_of(tool).name, settings_of(tool).timeout);
    for (const McpServerEntry& server : file_.mcp_servers)
      compare_time("mcpServers." + server.name, server.timeout);
    for (const OpenApiEntry& entry : file_.openapi) compare_time(entry.source, entry.timeout);
    for (const DiscoverEntry& entry : file_.discover) compare_time(entry.source, entry.timeout);
  }

  void compare_time(const std::string& place, std::optional<std::chrono::milliseconds> timeout) {
    if (!timeout || *timeout <= file_.limits.loop_wall_time) return;
    file_.issues.push_back(
        {.severity = ConfigIssue::Severity::warning,
         .place = place + ".timeout",
         .message = "a call may take longer than an answer with tools (loopWallTime), which makes no "
                    "further calls then; raise that limit, too"});
  }

  void add_permission(const JsonObject& object, const std::string& place) {
    if (auto rule = read_permission(state_, object, place)) file_.permissions.push_back(std::move(*rule));
  }

  ToolsFile& file_;
  ReadingState state_;
  std::set<std::string> names_;
  std::set<std::string> servers_;
};

}  // namespace

const ToolSettings& settings_of(const ToolEntry& tool) {
  return std::visit([](const auto& entry) -> const ToolSettings& { return entry.settings; }, tool);
}

std::string_view source_of(const ToolEntry& tool) {
  if (std::holds_alternative<HttpEntry>(tool)) return "http";
  return std::holds_alternative<CommandEntry>(tool) ? "command" : "builtin";
}

ToolsFile parse_tools_file(std::string_view text, const std::filesystem::path& folder,
                           const Environment& environment) {
  auto parsed = parse_config(text);
  if (auto* problem = std::get_if<std::string>(&parsed)) return unusable(std::move(*problem));
  const JsonValue& root = std::get<JsonValue>(parsed);
  ToolsFile file;
  std::error_code ignored;
  ConfigVariables variables(environment, std::filesystem::absolute(folder, ignored).lexically_normal());
  FileReader reader(file, variables);
  if (root.is_object()) {
    reader.read(root.get_object());
  } else if (root.is_array()) {
    reader.read_tools(root);
  } else {
    return unusable("expected an object { \"tools\": { … }, \"mcpServers\": { … } }");
  }
  tell_writable_folders(file);
  hide_from_programs(file, files_with_secrets(root, variables));
  file.secrets = variables.secrets();
  return file;
}

ToolsFile load_tools_file(const std::filesystem::path& path, const Environment& environment) {
  TrustedFile bytes = read_trusted_file(path, kMaxConfigBytes);
  if (!bytes.problem.empty()) return unusable(std::move(bytes.problem));
  ToolsFile file = parse_tools_file(bytes.bytes, path.parent_path(), environment);
  file.content_hash = sha256_hex(bytes.bytes);
  hide_from_programs(file, {path});
  return file;
}

std::string issue_text(const ConfigIssue& issue) {
  std::string text = issue.severity == ConfigIssue::Severity::error ? "error: " : "warning: ";
  if (!issue.place.empty()) text += issue.place + ": ";
  return text + issue.message;
}

}  // namespace parley::orchestration::tools
