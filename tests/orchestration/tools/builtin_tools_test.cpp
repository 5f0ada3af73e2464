#include "orchestration/tools/builtin_tools.h"

#include <gtest/gtest.h>

#include "orchestration/tools/parameters_schema.h"
#include "tests/orchestration/tools/recording_runner.h"

namespace parley::orchestration::tools {
namespace {

using inference::json::JsonObject;
using Status = ToolResult::Status;

BuiltinEntry entry_named(std::string name) {
  BuiltinEntry entry;
  entry.settings.name = name;
  entry.builtin = std::move(name);
  return entry;
}

// One output, "o1" of chat "c": the ten digits.
class TenDigits : public StoredOutputs {
 public:
  std::optional<OutputPart> read(std::string_view chat, std::string_view id, std::size_t offset,
                                 std::size_t) const override {
    const std::string digits = "0123456789";
    if (chat != "c" || id != "o1") return std::nullopt;
    return OutputPart{.text = offset < 10 ? digits.substr(offset, 4) : "", .total_bytes = 10};
  }
};

ToolResult call(const std::string& name, const JsonObject& arguments, std::string chat = "c") {
  BuiltinSurroundings surroundings;
  surroundings.now = [] { return std::chrono::system_clock::from_time_t(0); };
  surroundings.outputs = std::make_shared<TenDigits>();
  CallContext context = call_within(std::chrono::milliseconds(1000));
  context.chat = std::move(chat);
  return make_builtin_tool(entry_named(name), surroundings)->run(arguments, context);
}

TEST(BuiltinTools, SpecsAreUsableAndBoundToTheirText) {
  for (const char* name : {"calculator", "current_time", "read_tool_output"}) {
    const auto tool = make_builtin_tool(entry_named(name), {});
    EXPECT_EQ(tool->spec().name, name);
    EXPECT_EQ(tool->spec().source, "builtin");
    EXPECT_NE(tool->spec().description, "");
    EXPECT_EQ(schema_problem(tool->spec().parameters), std::nullopt);
    EXPECT_EQ(tool->spec().definition_hash.size(), 64u);
    BuiltinEntry renamed = entry_named(name);
    renamed.settings.description = "Another text.";
    const auto other = make_builtin_tool(renamed, {});
    EXPECT_EQ(other->spec().description, "Another text.");
    EXPECT_NE(other->spec().definition_hash, tool->spec().definition_hash);
    EXPECT_EQ(tool->preview({{"a", 1}}).input, "{\"a\":1}");
  }
}

TEST(BuiltinTools, CalculatorTakesTextAndNumbers) {
  EXPECT_EQ(call("calculator", {{"expression", "6*7"}}).text, "42");
  EXPECT_EQ(call("calculator", {{"expression", 42}}).text, "42");
  const ToolResult bad = call("calculator", {{"expression", "6*"}});
  EXPECT_EQ(bad.status, Status::error);
  EXPECT_EQ(bad.text, "The expression ends too early.");
  EXPECT_EQ(call("calculator", {}).status, Status::error);
}

TEST(BuiltinTools, CurrentTimeAsksTheClock) {
  EXPECT_EQ(call("current_time", {{"timezone", "UTC"}}).text.substr(0, 25), "1970-01-01T00:00:00+00:00");
  EXPECT_EQ(call("current_time", {{"timezone", "Nowhere/Land"}}).status, Status::error);
  EXPECT_EQ(call("current_time", {}).status, Status::ok);
}

TEST(BuiltinTools, ReadToolOutputPages) {
  EXPECT_EQ(call("read_tool_output", {{"id", "o1"}}).text, "0123\n[bytes 0 to 4 of 10; go on with offset 4]");
  EXPECT_EQ(call("read_tool_output", {{"id", "o1"}, {"offset", 8}}).text,
            "89\n[bytes 8 to 10 of 10, the end]");
  EXPECT_NE(call("read_tool_output", {{"id", "o1"}, {"offset", 10}}).text.find("nothing at that offset"),
            std::string::npos);
}

TEST(BuiltinTools, ReadToolOutputKnowsOnlyItsChat) {
  EXPECT_EQ(call("read_tool_output", {{"id", "o1"}}, "other").text,
            "There is no stored output with the id \"o1\".");
  EXPECT_EQ(call("read_tool_output", {{"id", "../o1"}}).status, Status::error);
  EXPECT_EQ(call("read_tool_output", {{"id", "o1"}, {"offset", -1}}).status, Status::error);
  EXPECT_EQ(call("read_tool_output", {{"id", "o1"}, {"offset", "4"}}).status, Status::error);
  const auto without = make_builtin_tool(entry_named("read_tool_output"), {});
  EXPECT_EQ(without->run({{"id", "o1"}}, call_within(std::chrono::milliseconds(10))).status, Status::error);
}

}  // namespace
}  // namespace parley::orchestration::tools
