#pragma once
// What the tools file (config/tools.json) says of each tool, server and description, as values: variables
// filled in, aliases folded, paths absolute. Plain data, immutable once read.

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

// What every tool of ours has.
struct ToolSettings {
  std::string name;  // as the model sees it
  std::string description;
  inference::json::JsonObject parameters;  // JSON Schema, an object
  std::optional<Decision> approval;
  bool strict = true;
  int concurrency = 4;
  std::optional<std::chrono::milliseconds> timeout;  // of a call; none: the file's callTimeout
  std::size_t max_output = 65536;                    // bytes
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
  ToolSettings
      settings;  // the description is the built-in's own unless given; parameters and limits always are
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
  std::optional<std::chrono::milliseconds> timeout;  // without progress; none: the file's callTimeout
  std::vector<std::string> include;                  // globs over the server's own tool names; empty: all
  std::vector<std::string> exclude;                  // these win
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
  std::optional<std::chrono::milliseconds> timeout;  // of a call
};

// Programs that list tools as JSON and run them by name (the convention of Gemini CLI).
struct DiscoverEntry {
  std::string source;  // ToolSpec::source of its tools: "discover:1"
  Launch list;
  Launch call;  // gets the tool's name as its last argument and the JSON arguments on standard input
  std::optional<Decision> approval;
  std::optional<std::chrono::milliseconds> timeout;  // of the listing and of each call
  std::size_t max_output = 65536;
};

const ToolSettings& settings_of(const ToolEntry& tool);
std::string_view source_of(const ToolEntry& tool);  // "command", "http", "builtin"

}  // namespace parley::orchestration::tools
