#include "orchestration/tools/read_tools_file.h"

#include <gtest/gtest.h>

#include <chrono>

#include <boost/json/parse.hpp>

#include "orchestration/tools/known_keys.h"
#include "orchestration/tools/sha256.h"
#include "tests/orchestration/tools/config_text.h"
#include "tests/orchestration/tools/scratch_folder.h"

namespace parley::orchestration::tools {
namespace {

using Words = std::vector<std::string>;

TEST(ReadToolsFile, BrokenTextIsAnErrorAsAWhole) {
  for (const char* text : {"", "{", "1", "\"x\"", "{\"tools\": {}} {}", "{\"a\":1,\"a\":2}"}) {
    const ToolsFile file = read_config(text);
    EXPECT_FALSE(file.usable) << text;
    ASSERT_EQ(file.issues.size(), 1u) << text;
    EXPECT_EQ(file.issues[0].place, "");
  }
}

TEST(ReadToolsFile, AnEmptyFileHasTheDefaultLimits) {
  const ToolsFile file = read_config("{}");
  EXPECT_TRUE(file.usable);
  EXPECT_TRUE(file.issues.empty());
  EXPECT_EQ(file.limits.max_rounds, 25);
  EXPECT_EQ(file.limits.max_parallel, 4);
  EXPECT_EQ(file.limits.repeat_limit, 3);
}

TEST(ReadToolsFile, WrongContainersAreNamed) {
  const ToolsFile file = read_config(
      R"({"tools": 1, "mcpServers": [], "openapi": {}, "discover": "x", "permissions": [1], "limits": [], "tool": {}})");
  EXPECT_TRUE(file.usable);
  for (const char* place :
       {"tools: ", "mcpServers: ", "openapi: ", "discover: ", "permissions[0]: ", "limits: "}) {
    EXPECT_TRUE(mentions(file, "error: " + std::string(place))) << place;
  }
  EXPECT_TRUE(mentions(file, "warning: tool: unknown key, which is not used; did you mean \"tools\"?"));
}

TEST(ReadToolsFile, OneWrongLimitDoesNotLiftTheOthers) {
  const ToolsFile file =
      read_config(R"({"limits": {"maxRounds": 3, "maxParallel": -1, "callTimeout": 5000, "resultTokens": 99,
                                         "repeatLimit": 2, "loopWallTime": 60000, "maxRound": 1}})");
  EXPECT_EQ(file.limits.max_rounds, 3);
  EXPECT_EQ(file.limits.max_parallel, 4);
  EXPECT_EQ(file.limits.call_timeout, std::chrono::seconds(5));
  EXPECT_EQ(file.limits.result_tokens, 99);
  EXPECT_EQ(file.limits.repeat_limit, 2);
  EXPECT_EQ(file.limits.loop_wall_time, std::chrono::minutes(1));
  EXPECT_EQ(issues_of(file),
            (Words{"warning: limits.maxRound: unknown key, which is not used; did you mean \"maxRounds\"?",
                   "error: limits.maxParallel: expected a whole number from 1 to 64"}));
}

TEST(ReadToolsFile, WarnsOfATimeOutBeyondTheAnswers) {
  const ToolsFile file = read_config(R"({"limits": {"loopWallTime": 60000},
      "tools": {"a": {"command": ["x"], "timeout": 60001}, "b": {"command": ["x"], "timeout": 60000}},
      "mcpServers": {"m": {"command": "x", "timeout": 70000}}, "openapi": [{"url": "http://a", "timeout": 70000}],
      "discover": [{"command": ["x"], "call": ["y"], "timeout": 70000}]})");
  EXPECT_EQ(file.issues.size(), 4u) << ::testing::PrintToString(issues_of(file));
  for (const char* place :
       {"warning: tools.a.timeout", "mcpServers.m.timeout", "openapi:1.timeout", "discover:1.timeout"})
    EXPECT_TRUE(mentions(file, place)) << place;
  EXPECT_EQ(settings_of(read_config(R"({"tools": {"a": {"command": ["x"]}}})").tools.at(0)).timeout,
            std::nullopt);
}

TEST(ReadToolsFile, ABrokenPermissionDenies) {
  const ToolsFile file = read_config(R"({"permissions": [{"tool": "shell_*", "decision": "denied"},
      {"tool": "*", "decision": "ask"}, {"decision": "auto"}]})");
  ASSERT_EQ(file.permissions.size(), 2u);
  EXPECT_EQ(file.permissions[0].decision, Decision::deny);
  EXPECT_EQ(file.permissions[1].decision, Decision::ask);
  EXPECT_TRUE(mentions(file, "error: permissions[0].decision"));
  EXPECT_TRUE(mentions(file, "error: permissions[2].tool"));
}

TEST(ReadToolsFile, ReadsOpenApiAndDiscoverEntries) {
  const ToolsFile file = read_config(R"({"openapi": [
      {"url": "http://127.0.0.1:8000/openapi.json", "name": "shop", "include": ["get_*"], "exclude": ["get_x"],
       "auth": {"bearer": "${env:FILES_KEY}"}, "headers": {"X-A": "1"}, "approval": "ask", "timeout": 1000},
      {"file": "api.json", "baseUrl": "https://a.example", "auth": {"basic": {"ada": "lovelace"}}},
      {"auth": {"bearer": "a\nb"}, "url": "http://a.example"}, {"name": "none"}],
      "discover": [{"command": ["bin/list"], "call": ["bin/call", "x"], "approval": "auto", "timeout": 2000}, {"command": ["a"]}]})");
  ASSERT_EQ(file.openapi.size(), 2u);
  EXPECT_EQ(file.openapi[0].source, "openapi:shop");
  EXPECT_EQ(file.openapi[0].headers,
            (std::vector<HttpHeader>{{"X-A", "1"}, {"Authorization", "Bearer sesame-42"}}));
  EXPECT_EQ(file.openapi[1].document, "/nowhere/api.json");
  // `printf ada:lovelace | base64`
  EXPECT_EQ(file.openapi[1].headers, (std::vector<HttpHeader>{{"Authorization", "Basic YWRhOmxvdmVsYWNl"}}));
  EXPECT_TRUE(contains(file.secrets, "lovelace"));
  EXPECT_TRUE(contains(file.secrets, "YWRhOmxvdmVsYWNl"));
  ASSERT_EQ(file.discover.size(), 1u);
  EXPECT_EQ(file.discover[0].source, "discover:1");
  EXPECT_EQ(file.discover[0].list.argv, Words{"/nowhere/bin/list"});
  EXPECT_EQ(file.discover[0].call.argv, (Words{"/nowhere/bin/call", "x"}));
  for (const char* words :
       {"openapi[2].auth", "openapi[3]: nothing says", "discover[1].call: expected the program"}) {
    EXPECT_TRUE(mentions(file, words)) << words << ::testing::PrintToString(issues_of(file));
  }
  ASSERT_EQ(file.permissions.size(), 2u);
  EXPECT_EQ(file.permissions[1].source, "discover:1");
}

TEST(ReadToolsFile, LoadsAndNeverWritesTheFile) {
  const ScratchFolder folder;
  const std::string text = "// mine\n{\"tools\": {\"a\": {\"command\": [\"./x\"], \"unknown\": 1,}}}\n";
  const auto path = folder.write("tools.json", text);
  const auto before = std::filesystem::last_write_time(path);
  const ToolsFile file = load_tools_file(path, environment_of({}));
  EXPECT_TRUE(file.usable);
  EXPECT_EQ(file.content_hash, sha256_hex(text));
  EXPECT_EQ(std::get<CommandEntry>(file.tools.at(0)).launch.argv[0], (folder / "x").string());
  EXPECT_EQ(ScratchFolder::read(path), text);
  EXPECT_EQ(std::filesystem::last_write_time(path), before);
}

TEST(ReadToolsFile, RefusesAFileThatOthersCanChange) {
  const ScratchFolder folder;
  const ToolsFile file = load_tools_file(folder.write("tools.json", "{}", 0666), environment_of({}));
  EXPECT_FALSE(file.usable);
  EXPECT_TRUE(mentions(file, "chmod go-w"));
}

TEST(ReadToolsFile, ADeepSchemaIsRefusedAtOnce) {
  std::string schema;
  for (int i = 0; i < 10'000; ++i) schema += R"({"items":)";
  schema += "1" + std::string(10'000, '}');
  const auto start = std::chrono::steady_clock::now();
  const ToolsFile file = read_config(R"({"tools":{"a":{"command":["x"],"parameters":)" + schema + "}}}");
  EXPECT_FALSE(file.usable);
  EXPECT_TRUE(mentions(file, "deeper than 128"));
  EXPECT_LT(std::chrono::steady_clock::now() - start, std::chrono::seconds(1));
}

TEST(ReadToolsFile, SchemaListsExactlyTheKnownKeys) {
  const auto schema =
      boost::json::parse(ScratchFolder::read(PARLEY_SOURCE_DIR "/config/tools.schema.json")).as_object();
  const auto& definitions = schema.at("definitions").as_object();
  for (int i = 0; i <= static_cast<int>(ObjectKind::limits); ++i) {
    const auto kind = static_cast<ObjectKind>(i);
    const std::string name(schema_name(kind));
    const auto& object = name.empty() ? schema : definitions.at(name).as_object();
    Words listed;
    for (const auto& field : object.at("properties").as_object()) listed.emplace_back(field.key());
    const auto known = known_keys(kind);
    EXPECT_EQ(listed, Words(known.begin(), known.end())) << name;
    EXPECT_FALSE(object.contains("additionalProperties")) << name << ": unknown keys are allowed";
  }
}

TEST(ReadToolsFile, TheSchemasLimitsAreTheReaders) {
  const auto schema =
      boost::json::parse(ScratchFolder::read(PARLEY_SOURCE_DIR "/config/tools.schema.json")).as_object();
  const auto& limits = schema.at("definitions").at("limits").at("properties").as_object();
  for (const auto& field : limits) {
    for (const char* edge : {"minimum", "maximum"}) {
      const auto value = field.value().at(edge).as_int64();
      const std::int64_t beyond = std::string(edge) == "minimum" ? value - 1 : value + 1;
      const std::string key = field.key();
      const auto read = [&](std::int64_t number) {
        return mentions(read_config("{\"limits\":{\"" + key + "\":" + std::to_string(number) + "}}"),
                        "error");
      };
      EXPECT_FALSE(read(value)) << key << " " << value;
      EXPECT_TRUE(read(beyond)) << key << " " << beyond;
    }
  }
}

}  // namespace
}  // namespace parley::orchestration::tools
