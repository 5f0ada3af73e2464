#include "orchestration/tools/builtin_tools.h"

#include <gtest/gtest.h>

#include "orchestration/tools/parameters_schema.h"
#include "tests/orchestration/tools/recording_runner.h"

namespace parley::orchestration::tools {
namespace {

using inference::json::JsonObject;
using Status = ToolResult::Status;

constexpr const char* kEuro = "\xE2\x82\xAC";

BuiltinEntry entry_named(std::string name) {
  BuiltinEntry entry;
  entry.settings.name = name;
  entry.builtin = std::move(name);
  return entry;
}

// Of chat "c": "o1", the ten digits in parts of four, and "euros", a hundred of them.
class TenDigits : public StoredOutputs {
 public:
  std::optional<OutputPart> read(std::string_view chat, std::string_view id, std::size_t offset,
                                 std::size_t max_bytes) const override {
    if (chat == "c" && id == "euros") return euros(offset, max_bytes);
    const std::string digits = "0123456789";
    if (chat != "c" || id != "o1") return std::nullopt;
    return OutputPart{
        .offset = offset, .text = offset < 10 ? digits.substr(offset, 4) : "", .total_bytes = 10};
  }

 private:
  static OutputPart euros(std::size_t offset, std::size_t max_bytes) {
    OutputPart part{.offset = (offset + 2) / 3 * 3, .text = "", .total_bytes = 300};
    while (part.offset + part.text.size() < 300 && part.text.size() + 3 <= max_bytes) part.text += kEuro;
    return part;
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

TEST(BuiltinTools, ReadToolOutputSaysWhereItsTextReallyBegins) {
  std::string all;
  for (int i = 0; i < 99; ++i) all += kEuro;
  EXPECT_EQ(call("read_tool_output", {{"id", "euros"}, {"offset", 1}}).text,
            all + "\n[bytes 3 to 300 of 300, the end]");
  EXPECT_NE(call("read_tool_output", {{"id", "euros"}, {"offset", 298}}).text.find("nothing at that offset"),
            std::string::npos);
}

// Else its middle would be cut out, and the offset would go on behind the cut.
TEST(BuiltinTools, ReadToolOutputGivesNoMoreThanTheModelIsGiven) {
  BuiltinSurroundings surroundings;
  surroundings.outputs = std::make_shared<TenDigits>();
  const auto tool = make_builtin_tool(entry_named("read_tool_output"), surroundings);
  CallContext context = call_within(std::chrono::milliseconds(1000));
  context.chat = "c";
  context.fits = [](std::string_view text) { return text.size() <= 200; };
  std::string all;
  std::int64_t offset = 0;
  for (int parts = 0; parts < 10 && offset < 300; ++parts) {
    const std::string text = tool->run({{"id", "euros"}, {"offset", offset}}, context).text;
    EXPECT_LE(text.size(), 200u);
    const std::size_t end = text.rfind("\n[bytes ");
    ASSERT_NE(end, std::string::npos);
    all += text.substr(0, end);
    offset += static_cast<std::int64_t>(end);
    const std::string next = offset < 300 ? "go on with offset " + std::to_string(offset) : ", the end";
    EXPECT_NE(text.find(next), std::string::npos) << text;
  }
  EXPECT_EQ(all.size(), 300u);
  EXPECT_EQ(all.find(kEuro, 297), 297u) << "whole characters";
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
