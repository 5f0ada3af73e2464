#pragma once
// What the tools file (config/tools.json) says, as values: variables filled in, aliases folded, paths
// absolute. Plain data, immutable once read (read_tools_file.h).

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "inference/json/json.h"
#include "orchestration/sandbox/program.h"

namespace parley::orchestration::tools {

// In the order in which rules of equal rank win: the stricter one.
enum class Decision : std::uint8_t { automatic, ask, deny };

// Something to tell the operator. An error says that one entry (or the file) is not used.
struct ConfigIssue {
  enum class Severity : std::uint8_t { warning, error };
  Severity severity = Severity::warning;
  std::string place;    // "tools.weather.command[2]"; empty: the file as a whole
  std::string message;  // what is wrong and what to do
};

// What every tool of ours has.
struct ToolSettings {
  std::string name;  // as the model sees it
  std::string description;
  inference::json::JsonObject parameters;  // JSON Schema, an object
  std::optional<Decision> approval;
  bool read_only = false;
  bool strict = true;
  int concurrency = 4;
  std::chrono::milliseconds timeout{60000};
  std::size_t max_output = 65536;  // bytes
};

enum class CommandInput : std::uint8_t { arguments, json };  // {placeholders}; or JSON on standard input
enum class CommandOutput : std::uint8_t { text, json, mcp };

// How a program of the operator's is started.
struct Launch {
  std::vector<std::string> argv;
  std::map<std::string, std::string> environment;  // all of it, inherited names included
  std::filesystem::path working_directory;         // empty: a private one
  sandbox::Access access;
};

struct CommandEntry {
  ToolSettings settings;
  Launch launch;  // argv holds the {placeholders}
  CommandInput input = CommandInput::json;
  CommandOutput output = CommandOutput::text;
  bool allow_dash = false;      // a value in place of a whole word may begin with "-"
  bool progress_lines = false;  // lines of standard error are progress
};

using HttpHeader = std::pair<std::string, std::string>;

struct HttpEntry {
  ToolSettings settings;
  std::string method = "GET";
  std::string url;  // with {placeholders}
  std::vector<HttpHeader> headers;
  inference::json::JsonValue body;  // "json", "form", "none", or a template; null: by method
};

struct BuiltinEntry {
  ToolSettings settings;  // description and parameters are the built-in's own unless given
  std::string builtin;
};

using ToolEntry = std::variant<CommandEntry, HttpEntry, BuiltinEntry>;

struct McpHttp {
  std::string url;
  std::vector<HttpHeader> headers;
};

struct McpServerEntry {
  std::string name;    // the key in the file
  std::string source;  // ToolSpec::source of its tools: "mcp:NAME"
  bool disabled = false;
  std::variant<Launch, McpHttp> transport;
  std::chrono::milliseconds timeout{60000};
  std::vector<std::string> include;       // globs over the server's own tool names; empty: all
  std::vector<std::string> exclude;       // these win
  std::vector<std::string> auto_approve;  // globs over the server's own tool names; "*" where trusted
  std::optional<Decision> approval;       // of all its tools
};

struct OpenApiEntry {
  std::string url;                 // or
  std::filesystem::path document;  // a file
  std::string name;                // prefix of the tools; may be empty
  std::string source;              // ToolSpec::source of its tools: "openapi:NAME"
  std::string base_url;            // empty: the document's first server
  std::vector<std::string> include;
  std::vector<std::string> exclude;
  std::vector<HttpHeader> headers;  // those of "auth" included
  std::optional<Decision> approval;
  std::chrono::milliseconds timeout{60000};
};

// Programs that list tools as JSON and run them by name (the convention of Gemini CLI).
struct DiscoverEntry {
  std::string source;  // ToolSpec::source of its tools: "discover:1"
  Launch list;
  Launch call;  // gets the tool's name as its last argument and the JSON arguments on standard input
  std::optional<Decision> approval;
  std::chrono::milliseconds timeout{60000};
  std::size_t max_output = 65536;
};

struct PermissionRule {
  std::string tool;    // glob over the names that the model sees
  std::string source;  // only tools of this ToolSpec::source; empty: any. Else as specific as it, it wins
  Decision decision = Decision::ask;
};

struct ToolLimits {
  int max_rounds = 25;
  int max_parallel = 4;
  std::chrono::milliseconds call_timeout{60000};
  int result_tokens = 2000;
  int repeat_limit = 3;
  std::chrono::milliseconds loop_wall_time{600000};
};

struct ToolsFile {
  std::vector<ToolEntry> tools;
  std::vector<McpServerEntry> mcp_servers;
  std::vector<OpenApiEntry> openapi;
  std::vector<DiscoverEntry> discover;
  std::vector<PermissionRule> permissions;  // those that the entries imply included
  ToolLimits limits;
  std::vector<std::string> secrets;  // values never to be shown: from variables, files, secret-looking names
  std::vector<ConfigIssue> issues;
  bool usable = true;        // false: an issue about the file as a whole, and nothing above
  std::string content_hash;  // SHA-256 of the bytes read
};

const ToolSettings& settings_of(const ToolEntry& tool);
std::string_view source_of(const ToolEntry& tool);  // "command", "http", "builtin"

}  // namespace parley::orchestration::tools
