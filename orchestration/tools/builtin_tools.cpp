#include "orchestration/tools/builtin_tools.h"

#include <algorithm>
#include <optional>
#include <string>
#include <utility>

#include "inference/json/json_writer.h"
#include "orchestration/mcp/plain_text.h"
#include "orchestration/tools/argument_text.h"
#include "orchestration/tools/calculate.h"
#include "orchestration/tools/current_time.h"
#include "orchestration/tools/definition_hash.h"
#include "orchestration/tools/told_names.h"

namespace parley::orchestration::tools {
namespace {

using inference::json::JsonArray;
using inference::json::JsonObject;
using inference::json::JsonValue;

// Bytes that read_tool_output gives at once, and that it does not go below to fit into what a model is given.
constexpr std::size_t kOutputPart = 8192;
constexpr std::size_t kLeastOutputPart = 64;

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
  return value == nullptr || value->is_null() ? std::string() : argument_text(*value);
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
    auto part = outputs_ == nullptr ? std::nullopt : outputs_->read(context.chat, id, *offset, kOutputPart);
    if (!part) return result_of({}, "There is no stored output with the id \"" + told_name(id) + "\".");
    if (part->text.empty()) {
      return result_of({}, "The output has " + std::to_string(part->total_bytes) +
                               " bytes; there is nothing at that offset.");
    }
    return result_of(told_whole(*std::move(part), context), {});
  }

 private:
  // The offset to go on with is where this text ends, so parts that follow one another lose nothing.
  static std::string told(const OutputPart& part) {
    const std::size_t end = part.offset + part.text.size();
    const std::string rest =
        end < part.total_bytes ? "; go on with offset " + std::to_string(end) : ", the end";
    return part.text + "\n[bytes " + std::to_string(part.offset) + " to " + std::to_string(end) + " of " +
           std::to_string(part.total_bytes) + rest + "]";
  }

  // The middle of what does not fit would be cut out on its way to the model.
  static std::string told_whole(OutputPart part, const CallContext& context) {
    std::string text = told(part);
    while (context.fits && !context.fits(text) && part.text.size() > kLeastOutputPart) {
      const std::size_t size = std::max(kLeastOutputPart, part.text.size() - part.text.size() / 4);
      part.text.resize(mcp::head_of(part.text, size).size());
      text = told(part);
    }
    return text;
  }

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
