#include "orchestration/tools/builtin_tools.h"

#include <optional>
#include <string>
#include <utility>

#include "inference/json/json_writer.h"
#include "orchestration/tools/calculate.h"
#include "orchestration/tools/current_time.h"
#include "orchestration/tools/definition_hash.h"

namespace parley::orchestration::tools {
namespace {

using inference::json::JsonArray;
using inference::json::JsonObject;
using inference::json::JsonValue;

constexpr std::size_t kOutputPart = 8192;  // bytes that read_tool_output gives at once

struct BuiltinDescription {
  const char* text;
  JsonObject parameters;
};

JsonObject property(const char* type, const char* description) {
  return {{"type", type}, {"description", description}};
}

JsonObject object_schema(JsonObject properties, JsonArray required) {
  return {{"type", "object"},
          {"properties", std::move(properties)},
          {"required", std::move(required)},
          {"additionalProperties", false}};
}

std::string text_argument(const JsonObject& arguments, std::string_view name) {
  const JsonValue* value = arguments.if_contains(name);
  if (value == nullptr || value->is_null()) return {};
  return value->is_string() ? std::string(value->get_string()) : inference::json::to_json_text(*value);
}

ToolResult result_of(std::string text, std::string problem) {
  ToolResult result;
  result.status = problem.empty() ? ToolResult::Status::ok : ToolResult::Status::error;
  result.text = problem.empty() ? std::move(text) : std::move(problem);
  return result;
}

class BuiltinTool : public Tool {
 public:
  BuiltinTool(const BuiltinEntry& entry, BuiltinDescription description) {
    spec_.name = entry.settings.name;
    spec_.description = entry.settings.description.empty() ? description.text : entry.settings.description;
    spec_.parameters = std::move(description.parameters);
    spec_.source = "builtin";
    spec_.strict = entry.settings.strict;
    spec_.max_parallel = entry.settings.concurrency;
    spec_.definition_hash = DefinitionHash().add(spec_).add(entry.builtin).hex();
  }

  const ToolSpec& spec() const override { return spec_; }

  CallPreview preview(const JsonObject& arguments) const override {
    return {.kind = "builtin", .words = {spec_.name}, .input = inference::json::to_json_text(arguments)};
  }

 private:
  ToolSpec spec_;
};

class Calculator final : public BuiltinTool {
 public:
  explicit Calculator(const BuiltinEntry& entry)
      : BuiltinTool(
            entry,
            {.text = "Works out an arithmetic expression exactly.",
             .parameters = object_schema(
                 {{"expression",
                   property("string", "For example (2 + 3) * 4 ^ 2 / 7, sqrt(2), sin(pi / 6), 15% * 80")}},
                 {"expression"})}) {}

  ToolResult run(const JsonObject& arguments, const CallContext&) override {
    Calculation done = calculate(text_argument(arguments, "expression"));
    return result_of(std::move(done.text), std::move(done.problem));
  }
};

class CurrentTime final : public BuiltinTool {
 public:
  CurrentTime(const BuiltinEntry& entry, BuiltinSurroundings surroundings)
      : BuiltinTool(entry, {.text = "Tells the date, the weekday and the time.",
                            .parameters = object_schema(
                                {{"timezone", property("string",
                                                       "IANA name such as Europe/Berlin; without it the "
                                                       "server's own zone")}},
                                {})}),
        now_(std::move(surroundings.now)) {}

  ToolResult run(const JsonObject& arguments, const CallContext&) override {
    LocalTime time = local_time(now_(), text_argument(arguments, "timezone"));
    return result_of(std::move(time.text), std::move(time.problem));
  }

 private:
  std::function<std::chrono::system_clock::time_point()> now_;
};

class ReadToolOutput final : public BuiltinTool {
 public:
  ReadToolOutput(const BuiltinEntry& entry, BuiltinSurroundings surroundings)
      : BuiltinTool(
            entry,
            {.text = "Reads a part of a tool's output that was too long to be given in full.",
             .parameters = object_schema(
                 {{"id", property("string", "The id that the shortened output names")},
                  {"offset",
                   {{"type", "integer"}, {"minimum", 0}, {"description", "Byte to begin at; 0 without it"}}}},
                 {"id"})}),
        outputs_(std::move(surroundings.outputs)) {}

  ToolResult run(const JsonObject& arguments, const CallContext& context) override {
    const std::string id = text_argument(arguments, "id");
    const auto offset = offset_of(arguments);
    if (!offset) return result_of({}, "The argument \"offset\" has to be a whole number from 0.");
    const auto part =
        outputs_ == nullptr ? std::nullopt : outputs_->read(context.chat, id, *offset, kOutputPart);
    if (!part) return result_of({}, "There is no stored output with the id \"" + id.substr(0, 100) + "\".");
    const std::size_t end = *offset + part->text.size();
    const std::string total = std::to_string(part->total_bytes);
    if (part->text.empty())
      return result_of({}, "The output has " + total + " bytes; there is nothing at that offset.");
    const std::string rest =
        end < part->total_bytes ? "; go on with offset " + std::to_string(end) : ", the end";
    return result_of(part->text + "\n[bytes " + std::to_string(*offset) + " to " + std::to_string(end) +
                         " of " + total + rest + "]",
                     {});
  }

 private:
  static std::optional<std::size_t> offset_of(const JsonObject& arguments) {
    const JsonValue* value = arguments.if_contains("offset");
    if (value == nullptr || value->is_null()) return 0;
    if (!value->is_int64() || value->get_int64() < 0) return std::nullopt;
    return static_cast<std::size_t>(value->get_int64());
  }

  std::shared_ptr<const StoredOutputs> outputs_;
};

}  // namespace

std::unique_ptr<Tool> make_builtin_tool(const BuiltinEntry& entry, BuiltinSurroundings surroundings) {
  if (entry.builtin == "calculator") return std::make_unique<Calculator>(entry);
  if (entry.builtin == "current_time") return std::make_unique<CurrentTime>(entry, std::move(surroundings));
  return std::make_unique<ReadToolOutput>(entry, std::move(surroundings));
}

}  // namespace parley::orchestration::tools
