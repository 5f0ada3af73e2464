#include "orchestration/tools/command_tool.h"

#include <algorithm>
#include <filesystem>
#include <utility>

#include "inference/json/json_writer.h"
#include "orchestration/tools/argv_template.h"
#include "orchestration/tools/clean_output.h"
#include "orchestration/tools/command_result.h"
#include "orchestration/tools/definition_hash.h"

namespace parley::orchestration::tools {
namespace {

using inference::json::JsonObject;
using std::chrono::steady_clock;

ToolSpec spec_of_command(const CommandEntry& entry, std::string source) {
  ToolSpec spec;
  spec.name = entry.settings.name;
  spec.description = entry.settings.description;
  spec.parameters = entry.settings.parameters;
  spec.source = std::move(source);
  spec.strict = entry.settings.strict;
  spec.max_parallel = entry.settings.concurrency;
  spec.timeout = entry.settings.timeout;
  spec.definition_hash = DefinitionHash()
                             .add(spec)
                             .add(entry.launch)
                             .add(entry.input == CommandInput::json ? "stdin-json" : "args")
                             .add(std::to_string(static_cast<int>(entry.output)))
                             .add(entry.allow_dash ? "dash" : "")
                             .hex();
  return spec;
}

class CommandTool final : public Tool {
 public:
  CommandTool(CommandEntry entry, CommandSurroundings surroundings, std::string source)
      : entry_(std::move(entry)),
        surroundings_(std::move(surroundings)),
        spec_(spec_of_command(entry_, std::move(source))) {}

  const ToolSpec& spec() const override { return spec_; }

  CallPreview preview(const JsonObject& arguments) const override {
    FilledArgv filled = filled_argv(arguments);
    CallPreview preview;
    preview.kind = "command";
    // Shown even where the call will be refused: people see what was tried.
    for (std::string& word : filled.argv)
      preview.words.push_back(redacted(std::move(word), surroundings_.secrets));
    preview.input = redacted(input_of(arguments), surroundings_.secrets);
    return preview;
  }

  ToolResult run(const JsonObject& arguments, const CallContext& context) override {
    FilledArgv filled = filled_argv(arguments);
    if (!filled.problem.empty()) {
      ToolResult refused;
      refused.status = ToolResult::Status::error;
      refused.text = std::move(filled.problem);
      return refused;
    }
    sandbox::Program program = program_of(entry_.launch, surroundings_);
    program.argv = std::move(filled.argv);
    const auto start = steady_clock::now();
    const sandbox::RunOptions options = options_of(arguments, context);
    const sandbox::ProgramResult ran = surroundings_.run(program, options);
    return command_result(ran, rules_of(options.deadline - start));
  }

 private:
  FilledArgv filled_argv(const JsonObject& arguments) const {
    return fill_argv(entry_.launch.argv, arguments,
                     entry_.allow_dash ? LeadingDash::allowed : LeadingDash::refused);
  }

  std::string input_of(const JsonObject& arguments) const {
    return entry_.input == CommandInput::json ? inference::json::to_json_text(arguments) : std::string();
  }

  sandbox::RunOptions options_of(const JsonObject& arguments, const CallContext& context) const {
    sandbox::RunOptions options;
    options.input = input_of(arguments);
    const std::size_t margin = cut_margin(surroundings_.secrets);
    options.max_output = entry_.settings.max_output + 2 * margin;
    options.max_error += margin;
    options.deadline = context.deadline;
    if (entry_.settings.timeout)
      options.deadline = std::min(options.deadline, steady_clock::now() + *entry_.settings.timeout);
    options.stop = context.stop;
    if (entry_.progress_lines && context.progress) {
      options.on_error_line = [this, &context](std::string_view line) {
        context.progress({.message = progress_text(line), .fraction = std::nullopt});
      };
    }
    return options;
  }

  std::string progress_text(std::string_view line) const {
    constexpr std::size_t kMaxProgressLine = 500;
    std::string clean = redacted(without_controls(line), surroundings_.secrets);
    // The end of a line that was cut may be the begin of a secret.
    if (line.size() >= sandbox::kMaxToldLine)
      clean = std::string(without_end(clean, cut_margin(surroundings_.secrets)));
    return head_and_tail(std::move(clean), kMaxProgressLine).text;
  }

  ResultRules rules_of(steady_clock::duration allowed) const {
    ResultRules rules;
    rules.program = spec_.name;
    rules.output = entry_.output;
    rules.max_output = entry_.settings.max_output;
    rules.timeout = std::chrono::round<std::chrono::milliseconds>(allowed);
    rules.secrets = surroundings_.secrets;
    return rules;
  }

  const CommandEntry entry_;
  const CommandSurroundings surroundings_;
  const ToolSpec spec_;
};

}  // namespace

sandbox::Program program_of(const Launch& launch, const CommandSurroundings& surroundings) {
  sandbox::Program program;
  program.argv = launch.argv;
  program.environment = launch.environment;
  program.working_directory = launch.working_directory;
  program.access = launch.access;
  program.access.hidden.insert(program.access.hidden.end(), surroundings.hidden.begin(),
                               surroundings.hidden.end());
  program.access.hidden_unless_declared = surroundings.config_folder;
  // Most runtimes (Go, node, Java) reserve far more addresses than they use.
  program.limits.memory_measure = sandbox::MemoryMeasure::private_data;
  return program;
}

std::unique_ptr<Tool> make_command_tool(CommandEntry entry, CommandSurroundings surroundings,
                                        std::string source) {
  return std::make_unique<CommandTool>(std::move(entry), std::move(surroundings), std::move(source));
}

}  // namespace parley::orchestration::tools
