#include "orchestration/turn/call_runner.h"

#include <chrono>
#include <exception>
#include <utility>
#include <variant>

#include "inference/json/json_writer.h"
#include "orchestration/tools/parameters_schema.h"
#include "orchestration/tools/told_names.h"

namespace parley::orchestration::turn {
namespace {

using inference::json::JsonError;
using inference::json::JsonObject;
using inference::json::JsonValue;
using sessions::CallState;

constexpr std::size_t kMaxArguments = std::size_t{1} << 20;  // bytes
constexpr int kMaxDepth = 128;

std::string unknown_tool(const tools::ToolSet& offered, const std::string& name) {
  const std::string words = "There is no tool named " + tools::told_name(name) + ".";
  if (const auto near = offered.nearest(name); !near.empty()) {
    return words + " Did you mean " + std::string(near) + "?";
  }
  if (offered.tools().empty()) return words + " No tools can be called now; answer without them.";
  std::vector<std::string> names;
  for (const tools::ToolPointer& tool : offered.tools()) names.push_back(tool->spec().name);
  return words + " The tools are: " + tools::told_names(names) + ".";
}

// Empty: `object` holds the arguments.
std::string read_arguments(std::string_view text, JsonObject& object) {
  if (text.find_first_not_of(" \t\r\n") == std::string_view::npos) return "";
  auto parsed = inference::json::parse_json(text, {.max_bytes = kMaxArguments, .max_depth = kMaxDepth});
  if (const auto* error = std::get_if<JsonError>(&parsed)) {
    return "The arguments are not valid JSON: " + error->message;
  }
  auto& value = std::get<JsonValue>(parsed);
  if (!value.is_object()) return "The arguments have to be a JSON object.";
  object = std::move(value.get_object());
  return "";
}

// Only of a schema that lists its properties and says nothing of others.
std::vector<std::string> unknown_keys(const JsonObject& schema, const JsonObject& arguments) {
  std::vector<std::string> unknown;
  const auto* properties = schema.if_contains("properties");
  if (properties == nullptr || !properties->is_object()) return unknown;
  for (const char* word : {"additionalProperties", "patternProperties", "unevaluatedProperties", "$ref"}) {
    const auto* other = schema.if_contains(word);
    if (other != nullptr && !(other->is_bool() && !other->get_bool())) return unknown;
  }
  for (const auto& [key, value] : arguments) {
    if (!properties->get_object().contains(key)) unknown.emplace_back(key);
  }
  return unknown;
}

std::string note_of(const std::vector<std::string>& dropped) {
  if (dropped.empty()) return "";
  return "(Left out, because the tool does not know it: " + tools::told_names(dropped) + ")\n";
}

std::string text_of(const tools::ToolResult& result) {
  if (!result.text.empty() || !result.structured) return result.text;
  return inference::json::to_json_text(*result.structured);
}

// What stands for the images behind the text. Beside a text that a person sees with them nothing has to.
std::string image_note(const std::string& text, const std::vector<calls::CallImage>& images, ImageUse use) {
  if (images.empty()) return "";
  if (use == ImageUse::shown) return text.empty() ? "(images, shown to the user)" : "";
  return std::string(text.empty() ? "" : "\n") + "(Images were left out: nobody can be shown any here.)";
}

// Of what the tool's own limit took, which the stored text cannot give back. The tool's line about it may
// have been shortened away.
std::string lost_words(std::size_t bytes) {
  return "\n(The tool gave more: " + std::to_string(bytes) + " bytes were over its limit and are not kept.)";
}

CallState state_of(tools::ToolResult::Status status) {
  switch (status) {
    case tools::ToolResult::Status::ok:
      return CallState::done;
    case tools::ToolResult::Status::cancelled:
      return CallState::cancelled;
    case tools::ToolResult::Status::error:
    case tools::ToolResult::Status::timed_out:
      break;
  }
  return CallState::failed;
}

std::string end_name(CallState state) {
  switch (state) {
    case CallState::done:
      return "ok";
    case CallState::denied:
      return "denied";
    case CallState::cancelled:
      return "cancelled";
    case CallState::interrupted:
      return "interrupted";
    default:
      return "error";
  }
}

// One of the four places that catch: a tool whose environment broke is a result like any other.
tools::ToolResult run_tool(const CallPlan& plan, const tools::CallContext& context) {
  tools::ToolResult failed;
  failed.status = tools::ToolResult::Status::error;
  try {
    return plan.tool->run(plan.arguments, context);
  } catch (const std::exception& error) {
    failed.text = std::string("The tool failed: ") + error.what();
  }
  return failed;
}

}  // namespace

CallPlan plan_call(const tools::ToolSet& offered, const std::string& name, std::string_view arguments) {
  CallPlan plan;
  plan.tool = offered.find(name);
  if (!plan.tool) {
    plan.problem = unknown_tool(offered, name);
    return plan;
  }
  plan.problem = read_arguments(arguments, plan.arguments);
  if (!plan.problem.empty()) return plan;
  const JsonObject& schema = plan.tool->spec().parameters;
  const std::vector<std::string> dropped = unknown_keys(schema, plan.arguments);
  for (const std::string& key : dropped) plan.arguments.erase(key);
  plan.note = note_of(dropped);
  if (auto problem = tools::argument_problem(schema, plan.arguments)) {
    plan.problem = plan.note + *problem;
    return plan;
  }
  plan.preview = plan.tool->preview(plan.arguments);
  return plan;
}

CallOutcome run_call(const CallPlan& plan, const tools::CallContext& context, const ResultLimit& limit) {
  CallOutcome outcome;
  outcome.state = CallState::cancelled;
  outcome.has_run = !context.stop.stop_requested();
  if (!outcome.has_run) return outcome;
  tools::CallContext told = context;
  told.fits = [&limit](std::string_view text) { return fits(text, limit); };
  tools::ToolResult result = run_tool(plan, told);
  outcome.state = state_of(result.status);
  outcome.images = std::move(result.images);
  std::string text = text_of(result);
  if (text.empty() && outcome.images.empty()) text = "(no output)";
  const std::string images = image_note(text, outcome.images, limit.images);
  std::string part = shortened_result(text, limit);
  if (part != text) {
    if (result.cut_bytes > 0) part += lost_words(result.cut_bytes);
    outcome.output = std::move(text);
  }
  outcome.result = plan.note + part + images;
  return outcome;
}

tools::AuditRecord audit_record(const sessions::ToolCall& call, const CallPlan& plan,
                                const std::string& chat) {
  tools::AuditRecord record;
  record.time = std::chrono::system_clock::now();
  record.chat = chat;
  record.tool = call.name;
  record.source = call.source;
  record.arguments_hash = tools::arguments_hash(plan.arguments);
  record.decision = call.decision;
  record.end = end_name(call.state);
  record.duration = std::chrono::milliseconds(static_cast<std::int64_t>(call.elapsed_ms));
  return record;
}

}  // namespace parley::orchestration::turn
