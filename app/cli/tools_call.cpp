// parley tools call: one tool, with the fence, limits and checks that a model's call gets. Who types the
// command is the one who allows it; what the rules deny stays denied.

#include <chrono>
#include <filesystem>
#include <iostream>
#include <stdexcept>
#include <stop_token>
#include <system_error>
#include <utility>

#include "app/cli/interrupt_as_stop.h"
#include "app/cli/options.h"
#include "app/cli/tool_box.h"
#include "app/cli/tools_commands.h"
#include "inference/json/json_writer.h"
#include "orchestration/tools/audit_log.h"
#include "orchestration/tools/call_limits.h"
#include "orchestration/tools/parameters_schema.h"
#include "orchestration/tools/tool_policy.h"

namespace parley::app::cli {
namespace {

namespace tools = orchestration::tools;
using inference::json::JsonObject;
using inference::json::JsonValue;
using Clock = std::chrono::steady_clock;

constexpr std::size_t kMaxArguments = std::size_t{1} << 20;  // bytes
constexpr std::chrono::seconds kPatience{60};                // for servers to start

JsonObject parse_arguments(const std::string& text) {
  auto parsed = inference::json::parse_json(text, {.max_bytes = kMaxArguments, .max_depth = 128});
  if (const auto* error = std::get_if<inference::json::JsonError>(&parsed)) {
    throw UsageError("the arguments are not JSON: " + error->message);
  }
  const auto& value = std::get<JsonValue>(parsed);
  if (!value.is_object())
    throw UsageError("the arguments have to be a JSON object, such as '{\"city\": \"Oslo\"}'");
  return value.get_object();
}

std::string words_for_missing(const tools::ToolSet& set, const std::string& name) {
  std::string words = "there is no tool " + name;
  if (const auto near = set.nearest(name); !near.empty())
    words += "; did you mean " + std::string(near) + "?";
  return words + " (parley tools check lists them)";
}

std::string_view end_word(tools::ToolResult::Status status) {
  switch (status) {
    case tools::ToolResult::Status::ok:
      return "ok";
    case tools::ToolResult::Status::error:
      return "error";
    case tools::ToolResult::Status::timed_out:
      return "timed_out";
    case tools::ToolResult::Status::cancelled:
      break;
  }
  return "cancelled";
}

JsonObject result_object(const tools::ToolResult& result, std::chrono::milliseconds duration) {
  JsonObject object;
  object["status"] = end_word(result.status);
  object["text"] = result.text;
  object["structured"] = result.structured.value_or(JsonValue(nullptr));
  object["images"] = result.images.size();
  object["cut_bytes"] = result.cut_bytes;
  object["milliseconds"] = duration.count();
  return object;
}

void print_result(const tools::ToolResult& result, std::chrono::milliseconds duration, bool as_json) {
  if (as_json) {
    std::cout << inference::json::to_json_text(result_object(result, duration)) << "\n";
    return;
  }
  std::cout << result.text << "\n";
  if (result.structured) std::cout << inference::json::to_json_text(*result.structured) << "\n";
  for (const tools::ToolImage& image : result.images) {
    std::cout << "[" << image.media_type << ", " << image.bytes.size() << " bytes]\n";
  }
  if (result.cut_bytes > 0) std::cerr << result.cut_bytes << " bytes of output were left out\n";
}

struct Wanted {
  std::string name;
  JsonObject arguments;
  std::filesystem::path data_folder;
};

// Throws where it cannot be called.
tools::ToolPointer find_tool(const tools::RegistryState& state, const Wanted& wanted) {
  if (!state.error.empty()) throw std::runtime_error(state.error);
  tools::ToolPointer tool = state.tools.find(wanted.name);
  if (!tool) throw std::runtime_error(words_for_missing(state.tools, wanted.name));
  if (tools::ToolPolicy(state.file->permissions).decide(tool->spec()) == tools::Decision::deny) {
    throw std::runtime_error("the file's permissions deny " + wanted.name);
  }
  if (auto problem = tools::argument_problem(tool->spec().parameters, wanted.arguments))
    throw std::runtime_error(*problem);
  return tool;
}

tools::ToolResult run_call(tools::Tool& tool, const JsonObject& arguments, const tools::ToolLimits& limits,
                           std::stop_token stop) {
  tools::CallContext context;
  tools::limit_call(context, tool.spec(), limits);
  context.stop = std::move(stop);
  context.progress = [](const tools::ToolProgress& progress) {
    if (!progress.message.empty()) std::cerr << progress.message << "\n";
  };
  return tool.run(arguments, context);
}

// A result is not lost because nothing can be written.
void keep_record(const Wanted& wanted, const std::string& source, std::string_view end,
                 std::chrono::milliseconds duration) {
  const tools::AuditRecord record{.time = std::chrono::system_clock::now(),
                                  .chat = "",
                                  .tool = wanted.name,
                                  .source = source,
                                  .arguments_hash = tools::arguments_hash(wanted.arguments),
                                  .decision = "command line",
                                  .end = std::string(end),
                                  .duration = duration};
  std::error_code error;
  std::filesystem::create_directories(wanted.data_folder, error);
  if (error) {
    std::cerr << "the call is not in the log: the data folder " << wanted.data_folder.string()
              << " cannot be made (" << error.message() << "); name another one with --data\n";
  } else if (const auto problem = tools::append_audit_record(wanted.data_folder / "tools.log", record)) {
    std::cerr << *problem << "\n";
  }
}

struct CallEnd {
  bool was_called = false;
  int status = kInterruptedStatus;
};

// What the box has started has ended when this returns.
CallEnd call_tool(const Options& options, const Wanted& wanted, const InterruptAsStop& interrupt) {
  const auto environment = config::process_environment();
  ToolBox box(find_tools_file(options.text("tools"), environment),
              OwnPlaces{.data_folder = wanted.data_folder}, environment);
  box.refresh(kPatience, interrupt.token(), wanted.name);
  if (interrupt.has_come()) return {};
  const auto state = box.state();
  const tools::ToolPointer tool = find_tool(*state, wanted);

  const auto begin = Clock::now();
  const tools::ToolResult result = run_call(*tool, wanted.arguments, state->file->limits, interrupt.token());
  const auto duration = std::chrono::duration_cast<std::chrono::milliseconds>(Clock::now() - begin);
  keep_record(wanted, tool->spec().source, end_word(result.status), duration);
  print_result(result, duration, options.has("json"));
  return {true, result.status == tools::ToolResult::Status::ok ? 0 : 1};
}

}  // namespace

int run_tools_call(const Arguments& arguments) {
  Options options(
      "tools call NAME ['{\"a\": 1}'] [--tools FILE] [--data DIR] [--json]",
      "Runs one tool as a model's call would be, and prints its result. Exit status 1: it failed.");
  options.add_value("name", "NAME", "the tool; may stand alone");
  options.add_value("arguments", "JSON", "an object, {} if left out; may stand alone behind the name");
  options.add_value("tools", "FILE", "the tools file; else tools.json in ~/.config/parley");
  options.add_value("data", "DIR", "data folder (homes of servers, the log)");
  options.add_flag("json", "print the whole result as JSON");
  options.allow_positional("name");
  options.allow_positional("arguments");
  if (!options.parse(arguments)) return 0;

  const std::filesystem::path data =
      options.text("data").value_or(config::default_data_dir(config::process_environment()).string());
  const Wanted wanted{options.required("name"), parse_arguments(options.text("arguments").value_or("{}")),
                      data};
  const InterruptAsStop interrupt;
  const CallEnd end = call_tool(options, wanted, interrupt);
  if (!interrupt.has_come()) return end.status;
  if (end.was_called) {
    std::cerr << "stopped: the call, and what else was started, has ended\n";
  } else {
    std::cerr << "stopped: " << wanted.name << " was not called, and what was started has ended\n";
  }
  return kInterruptedStatus;
}

}  // namespace parley::app::cli
