#pragma once
// What `parley tools check` tells. Plain values; making one counts tokens and compiles schemas, so it takes
// some milliseconds a tool. Any thread; never fails.

#include <optional>
#include <string>
#include <vector>

#include "app/cli/tool_cost.h"
#include "inference/tokenizer/tokenizer.h"
#include "orchestration/tools/mcp_source.h"
#include "orchestration/tools/tool_registry.h"

namespace parley::app::cli {

struct ToolLine {
  std::string name;
  std::string source;
  std::string policy;                 // "auto", "ask", "deny"
  std::optional<std::size_t> tokens;  // of its description in the prompt; absent: no tokenizer
  std::size_t bytes = 0;              // of it
  std::vector<std::string>
      unchecked;             // "#/properties/a pattern: why"; checked when the arguments are complete
  std::string not_enforced;  // not empty: why nothing of the schema can be enforced
};

struct ServerLine {
  std::string name;
  std::string state;  // "ready", "failed: exited with status 1"
  std::size_t tools = 0;
  std::vector<std::string> log;  // the last lines, of one that is not ready
};

struct ToolReport {
  std::string error;  // of the file as a whole
  std::vector<std::string> errors;
  std::vector<std::string> warnings;
  std::vector<ToolLine> tools;
  std::vector<ServerLine> servers;
  std::vector<ToolCost> costs;  // one a model
  std::string no_model;         // without costs: why, a clause

  bool servers_are_up = true;

  bool is_clean() const { return error.empty() && errors.empty() && servers_are_up; }
};

// `tokenizer` may be null.
ToolReport make_tool_report(const orchestration::tools::RegistryState& state,
                            const std::vector<orchestration::tools::McpSource::NamedServer>& servers,
                            const inference::tokenizer::Tokenizer* tokenizer);

// The description of a tool as templates put it into a prompt.
std::string prompt_text(const orchestration::tools::ToolSpec& spec);

std::string to_text(const ToolReport& report);
std::string to_json(const ToolReport& report);  // one line

}  // namespace parley::app::cli
