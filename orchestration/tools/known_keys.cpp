#include "orchestration/tools/known_keys.h"

#include <array>
#include <cstddef>

namespace parley::orchestration::tools {
namespace {

constexpr auto kFileKeys =
    std::to_array<std::string_view>({"$schema", "mcpServers", "servers", "mcp", "tools", "openapi",
                                     "discover", "permissions", "limits", "inputs"});

constexpr auto kToolKeys = std::to_array<std::string_view>(
    {"type",         "function",    "name",      "title",    "description", "parameters",
     "input_schema", "inputSchema", "command",   "args",     "http",        "builtin",
     "input",        "output",      "cwd",       "env",      "environment", "envFile",
     "timeout",      "inheritEnv",  "maxOutput", "approval", "concurrency", "sandbox",
     "allowDash",    "progress",    "strict",    "disabled", "enabled"});

constexpr auto kHttpKeys = std::to_array<std::string_view>({"method", "url", "headers", "body"});

constexpr auto kSandboxKeys = std::to_array<std::string_view>({"network", "read", "write"});

constexpr auto kServerKeys = std::to_array<std::string_view>(
    {"type",         "command",     "args",         "env",           "environment",   "envFile",
     "cwd",          "url",         "httpUrl",      "serverUrl",     "headers",       "timeout",
     "trust",        "autoApprove", "alwaysAllow",  "includeTools",  "allowed_tools", "allowedTools",
     "enabledTools", "tools",       "excludeTools", "disabledTools", "disabled",      "enabled",
     "approval",     "inheritEnv",  "sandbox",      "name",          "description",   "gallery",
     "version",      "dev"});

constexpr auto kOpenApiKeys =
    std::to_array<std::string_view>({"url", "file", "name", "baseUrl", "include", "exclude", "auth",
                                     "headers", "approval", "timeout", "disabled"});

constexpr auto kAuthKeys = std::to_array<std::string_view>({"bearer", "basic", "header"});

constexpr auto kDiscoverKeys =
    std::to_array<std::string_view>({"command", "call", "cwd", "env", "environment", "envFile", "inheritEnv",
                                     "approval", "timeout", "maxOutput", "sandbox", "disabled"});

constexpr auto kPermissionKeys = std::to_array<std::string_view>({"tool", "source", "decision"});

constexpr auto kLimitsKeys = std::to_array<std::string_view>(
    {"maxRounds", "maxParallel", "callTimeout", "resultTokens", "repeatLimit", "loopWallTime"});

// Of programs; then what a built-in has of its own.
constexpr auto kIdleKeys = std::to_array<std::string_view>(
    {"args", "input", "output", "cwd", "env", "environment", "envFile", "inheritEnv", "sandbox", "allowDash",
     "progress", "parameters", "input_schema", "inputSchema", "timeout", "maxOutput"});
constexpr std::size_t kKeysOfPrograms = 11;

}  // namespace

std::span<const std::string_view> idle_keys(std::string_view tool_kind) {
  if (tool_kind == "http") return std::span(kIdleKeys).first(kKeysOfPrograms);
  return tool_kind == "builtin" ? std::span<const std::string_view>(kIdleKeys)
                                : std::span<const std::string_view>();
}

std::span<const std::string_view> known_keys(ObjectKind kind) {
  switch (kind) {
    case ObjectKind::file:
      return kFileKeys;
    case ObjectKind::tool:
      return kToolKeys;
    case ObjectKind::http:
      return kHttpKeys;
    case ObjectKind::sandbox:
      return kSandboxKeys;
    case ObjectKind::mcp_server:
      return kServerKeys;
    case ObjectKind::openapi:
      return kOpenApiKeys;
    case ObjectKind::auth:
      return kAuthKeys;
    case ObjectKind::discover:
      return kDiscoverKeys;
    case ObjectKind::permission:
      return kPermissionKeys;
    case ObjectKind::limits:
      return kLimitsKeys;
  }
  return {};
}

std::string_view schema_name(ObjectKind kind) {
  switch (kind) {
    case ObjectKind::file:
      return "";
    case ObjectKind::tool:
      return "tool";
    case ObjectKind::http:
      return "http";
    case ObjectKind::sandbox:
      return "sandbox";
    case ObjectKind::mcp_server:
      return "mcpServer";
    case ObjectKind::openapi:
      return "openapi";
    case ObjectKind::auth:
      return "auth";
    case ObjectKind::discover:
      return "discover";
    case ObjectKind::permission:
      return "permission";
    case ObjectKind::limits:
      return "limits";
  }
  return "";
}

}  // namespace parley::orchestration::tools
