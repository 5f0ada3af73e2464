// parley tools call: one tool, with the fence, limits and checks that a model's call gets. Who types the
// command is the one who allows it; what the rules deny stays denied.

#include <chrono>
#include <csignal>
#include <fstream>
#include <iostream>
#include <stdexcept>
#include <stop_token>
#include <thread>

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

// Ctrl-C ends the call and all that it started, not the program before it could do so.
class InterruptAsStop {
 public:
  InterruptAsStop() {
    sigemptyset(&signals_);
    sigaddset(&signals_, SIGINT);
    sigaddset(&signals_, SIGTERM);
    pthread_sigmask(SIG_BLOCK, &signals_, nullptr);
    waiter_ = std::jthread([this](const std::stop_token& ended) {
      while (!ended.stop_requested()) {
        const timespec pause{.tv_sec = 0, .tv_nsec = 100'000'000};
        if (sigtimedwait(&signals_, nullptr, &pause) > 0) stop_.request_stop();
      }
    });
  }
  std::stop_token token() const { return stop_.get_token(); }

 private:
  sigset_t signals_;
  std::stop_source stop_;
  std::jthread waiter_;  // last: ends before the others
};

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

tools::ToolResult run_call(tools::Tool& tool, const JsonObject& arguments, const tools::ToolLimits& limits) {
  const InterruptAsStop interrupt;
  tools::CallContext context;
  tools::limit_call(context, tool.spec(), limits);
  context.stop = interrupt.token();
  context.progress = [](const tools::ToolProgress& progress) {
    if (!progress.message.empty()) std::cerr << progress.message << "\n";
  };
  return tool.run(arguments, context);
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

  const auto environment = config::process_environment();
  const std::filesystem::path data =
      options.text("data").value_or(config::default_data_dir(environment).string());
  const JsonObject given = parse_arguments(options.text("arguments").value_or("{}"));
  const std::string name = options.required("name");
  ToolBox box(find_tools_file(options.text("tools"), environment), OwnPlaces{.data_folder = data},
              environment);
  box.refresh(kPatience, name);
  const auto state = box.state();
  if (!state->error.empty()) throw std::runtime_error(state->error);
  const tools::ToolPointer tool = state->tools.find(name);
  if (!tool) throw std::runtime_error(words_for_missing(state->tools, name));
  if (tools::ToolPolicy(state->file->permissions).decide(tool->spec()) == tools::Decision::deny) {
    throw std::runtime_error("the file's permissions deny " + name);
  }
  if (auto problem = tools::argument_problem(tool->spec().parameters, given))
    throw std::runtime_error(*problem);

  const auto begin = Clock::now();
  const tools::ToolResult result = run_call(*tool, given, state->file->limits);
  const auto duration = std::chrono::duration_cast<std::chrono::milliseconds>(Clock::now() - begin);
  std::filesystem::create_directories(data);
  const tools::AuditRecord record{.time = std::chrono::system_clock::now(),
                                  .chat = "",
                                  .tool = name,
                                  .source = tool->spec().source,
                                  .arguments_hash = tools::arguments_hash(given),
                                  .decision = "command line",
                                  .end = std::string(end_word(result.status)),
                                  .duration = duration};
  if (const auto problem = tools::append_audit_record(data / "tools.log", record))
    std::cerr << *problem << "\n";
  print_result(result, duration, options.has("json"));
  return result.status == tools::ToolResult::Status::ok ? 0 : 1;
}

}  // namespace parley::app::cli
