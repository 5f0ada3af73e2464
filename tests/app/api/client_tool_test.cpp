#include "app/api/client_tool.h"

#include <gtest/gtest.h>

#include "inference/json/json_writer.h"

namespace parley::app::api {
namespace {

using inference::json::JsonObject;

ClientToolDefinition definition() {
  return {.name = "add", .description = "Adds.", .parameters = {{"type", "object"}}, .strict = true};
}

TEST(ClientToolTest, TellsTheModelWhatTheRequestSaid) {
  const auto tool = make_client_tool(definition());
  EXPECT_EQ(tool->spec().name, "add");
  EXPECT_EQ(tool->spec().description, "Adds.");
  EXPECT_EQ(inference::json::to_json_text(tool->spec().parameters), R"({"type":"object"})");
  EXPECT_TRUE(tool->spec().strict);
  EXPECT_TRUE(is_client_tool(*tool));
}

// Constraints are kept by it.
TEST(ClientToolTest, HashesAllThatDecidesACall) {
  const std::string hash = make_client_tool(definition())->spec().definition_hash;
  EXPECT_EQ(hash.size(), 64u);
  EXPECT_EQ(make_client_tool(definition())->spec().definition_hash, hash);
  auto loose = definition();
  loose.strict = false;
  auto other = definition();
  other.parameters["properties"] = JsonObject();
  for (const auto& changed : {loose, other})
    EXPECT_NE(make_client_tool(changed)->spec().definition_hash, hash);
}

TEST(ClientToolTest, IsNeverRunHere) {
  const auto tool = make_client_tool(definition());
  const auto result = tool->run({}, {});
  EXPECT_EQ(result.status, orchestration::tools::ToolResult::Status::error);
  EXPECT_NE(result.text.find("add"), std::string::npos);
  const auto preview = tool->preview({{"a", 1}});
  EXPECT_EQ(preview.kind, "client");
  EXPECT_EQ(preview.words, std::vector<std::string>{"add"});
  EXPECT_EQ(preview.input, R"({"a":1})");
}

}  // namespace
}  // namespace parley::app::api
