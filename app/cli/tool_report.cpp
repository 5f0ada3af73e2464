#include "app/cli/tool_report.h"

#include <algorithm>
#include <cstdint>
#include <utility>

#include "inference/grammar/schema_grammar.h"
#include "inference/json/json_writer.h"
#include "orchestration/tools/read_tools_file.h"
#include "orchestration/tools/tool_policy.h"

namespace parley::app::cli {
namespace {

namespace grammar = inference::grammar;
namespace tools = orchestration::tools;
using inference::json::JsonArray;
using inference::json::JsonObject;
using inference::json::JsonValue;

constexpr std::size_t kLogLines = 5;  // of a server that is not ready

std::string policy_word(tools::Decision decision) {
  switch (decision) {
    case tools::Decision::automatic:
      return "auto";
    case tools::Decision::ask:
      return "ask";
    case tools::Decision::deny:
      break;
  }
  return "deny";
}

void add_enforcement(const tools::ToolSpec& spec, ToolLine& line) {
  grammar::SchemaOptions options;
  options.root = grammar::SchemaRoot::object;
  options.other_members = grammar::OtherMembers::forbidden_at_top;
  auto compiled = grammar::compile_schema(JsonValue(spec.parameters), options);
  if (const auto* error = std::get_if<grammar::GrammarError>(&compiled)) {
    line.not_enforced = error->message;
    return;
  }
  for (const auto& part : std::get<grammar::SchemaGrammar>(compiled).unchecked) {
    line.unchecked.push_back(part.place + " " + part.keyword + ": " + part.reason);
  }
}

std::string state_text(const orchestration::mcp::ServerStatus& status) {
  using State = orchestration::mcp::ServerStatus::State;
  switch (status.state) {
    case State::starting:
      return "starting";
    case State::ready:
      return "ready";
    case State::failed:
      return "failed: " + status.reason;
    case State::restarting:
      return "restarting: " + status.reason;
    case State::ended:
      break;
  }
  return "ended";
}

ServerLine line_of(const tools::McpSource::NamedServer& named) {
  ServerLine line;
  line.name = named.name;
  const auto status = named.shown_status();
  line.state = state_text(status);
  line.tools = named.server->tools()->tools.size();
  if (status.state == orchestration::mcp::ServerStatus::State::ready) return line;
  line.log = named.newest_log(kLogLines);
  return line;
}

std::string size_text(const ToolLine& tool) {
  return tool.tokens ? std::to_string(*tool.tokens) + " tokens" : std::to_string(tool.bytes) + " bytes";
}

std::string total_text(const std::vector<ToolLine>& lines) {
  std::size_t tokens = 0;
  std::size_t bytes = 0;
  bool counted = true;
  for (const ToolLine& line : lines) {
    tokens += line.tokens.value_or(0);
    bytes += line.bytes;
    counted = counted && line.tokens.has_value();
  }
  if (lines.empty()) return "no tools\n";
  const std::string count = std::to_string(lines.size()) + (lines.size() == 1 ? " tool, " : " tools, ");
  if (counted) return count + std::to_string(tokens) + " tokens of descriptions when all are on\n";
  return count + std::to_string(bytes) + " bytes of descriptions when all are on\n";
}

std::string cost_text(const ToolReport& report) {
  std::string text;
  for (const ToolCost& cost : report.costs) text += to_text(cost);
  if (report.costs.empty() && !report.no_model.empty()) {
    text += "no tokens and no times: " + report.no_model + "; or name another with --model\n";
  }
  return text;
}

JsonArray costs_json(const ToolReport& report) {
  JsonArray array;
  for (const ToolCost& cost : report.costs) {
    JsonObject object;
    object["model"] = cost.model;
    object["profile"] = profile_word(cost.profile);
    object["tokens"] = static_cast<std::uint64_t>(cost.tokens);
    object["seconds"] = cost.seconds ? JsonValue(*cost.seconds) : JsonValue(nullptr);
    object["not_measured"] = cost.not_measured.empty() ? JsonValue(nullptr) : JsonValue(cost.not_measured);
    array.push_back(std::move(object));
  }
  return array;
}

std::string lines_of(std::string_view head, const std::vector<std::string>& lines) {
  std::string text;
  for (const std::string& line : lines) text += std::string(head) + line + "\n";
  return text;
}

JsonArray array_of(const std::vector<std::string>& texts) { return JsonArray(texts.begin(), texts.end()); }

}  // namespace

std::string prompt_text(const tools::ToolSpec& spec) {
  const JsonObject function{
      {"name", spec.name}, {"description", spec.description}, {"parameters", spec.parameters}};
  return inference::json::to_json_text(JsonObject{{"type", "function"}, {"function", function}}) + "\n";
}

ToolReport make_tool_report(const tools::RegistryState& state,
                            const std::vector<tools::McpSource::NamedServer>& servers,
                            const inference::tokenizer::Tokenizer* tokenizer) {
  ToolReport report;
  report.error = state.error;
  for (const tools::ConfigIssue& issue : state.issues) {
    auto& list = issue.severity == tools::ConfigIssue::Severity::error ? report.errors : report.warnings;
    list.push_back(tools::issue_text(issue));
  }
  const tools::ToolPolicy policy(state.file->permissions);
  for (const tools::ToolPointer& tool : state.tools.tools()) {
    const tools::ToolSpec& spec = tool->spec();
    ToolLine& line = report.tools.emplace_back();
    line.name = spec.name;
    line.source = spec.source;
    line.policy = policy_word(policy.decide(spec));
    const std::string text = prompt_text(spec);
    line.bytes = text.size();
    if (tokenizer != nullptr) line.tokens = tokenizer->encode(text).size();
    add_enforcement(spec, line);
  }
  for (const auto& named : servers) {
    report.servers.push_back(line_of(named));
    report.servers_are_up = report.servers_are_up && report.servers.back().state == "ready";
  }
  return report;
}

std::string to_text(const ToolReport& report) {
  std::string text;
  if (!report.error.empty()) text += "error: " + report.error + "\n";
  text += lines_of("", report.errors) + lines_of("", report.warnings);
  for (const ServerLine& server : report.servers) {
    text += "server " + server.name + ": " + server.state + ", " + std::to_string(server.tools) + " tools\n" +
            lines_of("    ", server.log);
  }
  for (const ToolLine& tool : report.tools) {
    text += tool.name + "  (" + tool.source + ", " + tool.policy + ", " + size_text(tool) + ")\n" +
            lines_of("    checked afterwards only: ", tool.unchecked);
    if (!tool.not_enforced.empty()) text += "    the schema is not enforced: " + tool.not_enforced + "\n";
  }
  return text + total_text(report.tools) + cost_text(report);
}

std::string to_json(const ToolReport& report) {
  JsonArray tool_array;
  for (const ToolLine& tool : report.tools) {
    JsonObject object;
    object["name"] = tool.name;
    object["source"] = tool.source;
    object["policy"] = tool.policy;
    object["tokens"] = tool.tokens ? JsonValue(static_cast<std::uint64_t>(*tool.tokens)) : JsonValue(nullptr);
    object["bytes"] = static_cast<std::uint64_t>(tool.bytes);
    object["checked_afterwards"] = array_of(tool.unchecked);
    object["not_enforced"] = tool.not_enforced.empty() ? JsonValue(nullptr) : JsonValue(tool.not_enforced);
    tool_array.push_back(std::move(object));
  }
  JsonArray server_array;
  for (const ServerLine& server : report.servers) {
    server_array.push_back(JsonObject{{"name", server.name},
                                      {"state", server.state},
                                      {"tools", static_cast<std::uint64_t>(server.tools)},
                                      {"log", array_of(server.log)}});
  }
  JsonObject object;
  object["error"] = report.error.empty() ? JsonValue(nullptr) : JsonValue(report.error);
  object["errors"] = array_of(report.errors);
  object["warnings"] = array_of(report.warnings);
  object["tools"] = std::move(tool_array);
  object["servers"] = std::move(server_array);
  object["models"] = costs_json(report);
  object["no_model"] = report.no_model.empty() ? JsonValue(nullptr) : JsonValue(report.no_model);
  return inference::json::to_json_text(object) + "\n";
}

}  // namespace parley::app::cli
