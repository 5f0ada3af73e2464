#include "orchestration/tools/read_tool_entry.h"

#include <gtest/gtest.h>

#include "inference/json/json_writer.h"
#include "tests/orchestration/tools/config_text.h"
#include "tests/orchestration/tools/scratch_folder.h"

namespace parley::orchestration::tools {
namespace {

using inference::json::to_json_text;

const CommandEntry& command(const ToolsFile& file, std::size_t index = 0) {
  return std::get<CommandEntry>(file.tools.at(index));
}

TEST(ReadToolEntry, ReadsACommandInFull) {
  const ScratchFolder folder;
  folder.write("weather", "", 0700);
  std::filesystem::create_directory(folder / "data");
  const ToolsFile file = read_config(R"({"tools": {"weather": {
      "description": "Current weather", "command": ["./weather", "--city", "{city}"],
      "parameters": {"type":"object","properties":{"city":{"type":"string"}},"required":["city"]},
      "input": "args", "output": "json", "cwd": "data", "env": {"A": "b", "API_KEY": "literal-key"},
      "inheritEnv": ["LANG", "MISSING"], "timeout": 10000, "maxOutput": 1024, "approval": "auto",
      "concurrency": 2, "sandbox": {"network": true, "read": ["/srv/a"], "write": ["data"]},
      "progress": "stderr-lines", "strict": false, "allowDash": true}}})",
                                     folder.path());
  EXPECT_EQ(issues_of(file), std::vector<std::string>{});
  const CommandEntry& tool = command(file);
  EXPECT_EQ(tool.settings.name, "weather");
  EXPECT_EQ(tool.settings.description, "Current weather");
  EXPECT_EQ(tool.launch.argv, (std::vector<std::string>{(folder / "weather").string(), "--city", "{city}"}));
  EXPECT_EQ(tool.input, CommandInput::arguments);
  EXPECT_EQ(tool.output, CommandOutput::json);
  EXPECT_EQ(tool.launch.working_directory, folder / "data");
  EXPECT_EQ(tool.launch.environment.at("A"), "b");
  EXPECT_EQ(tool.launch.environment.at("LANG"), "de");
  EXPECT_FALSE(tool.launch.environment.contains("MISSING"));
  EXPECT_EQ(tool.settings.timeout, std::chrono::seconds(10));
  EXPECT_EQ(tool.settings.max_output, 1024u);
  EXPECT_EQ(tool.settings.approval, Decision::automatic);
  EXPECT_EQ(tool.settings.concurrency, 2);
  EXPECT_EQ(tool.launch.access.network, sandbox::Network::on);
  EXPECT_EQ(tool.launch.access.readable, (std::vector<std::filesystem::path>{"/srv/a", folder / "weather"}));
  EXPECT_EQ(tool.launch.access.writable, std::vector<std::filesystem::path>{folder / "data"});
  EXPECT_TRUE(tool.progress_lines);
  EXPECT_FALSE(tool.settings.strict);
  EXPECT_TRUE(tool.allow_dash);
  EXPECT_EQ(file.secrets, std::vector<std::string>{"literal-key"});
  ASSERT_EQ(file.permissions.size(), 1u);
  EXPECT_EQ(file.permissions[0].tool, "weather");
}

TEST(ReadToolEntry, DefaultsAreSafe) {
  const ToolsFile file = read_config(R"({"tools": {"a": {"command": ["date"]}}})");
  const CommandEntry& tool = command(file);
  EXPECT_EQ(tool.launch.access.fence, sandbox::Fence::bubblewrap);
  EXPECT_EQ(tool.launch.access.network, sandbox::Network::off);
  EXPECT_TRUE(tool.launch.access.readable.empty());
  EXPECT_TRUE(tool.launch.access.writable.empty());
  EXPECT_EQ(
      tool.launch.environment,
      (std::map<std::string, std::string>{
          {"LANG", "C.UTF-8"}, {"PATH", "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin"}}));
  EXPECT_EQ(tool.input, CommandInput::json);
  EXPECT_EQ(tool.settings.approval, std::nullopt);
  EXPECT_EQ(to_json_text(tool.settings.parameters), R"({"type":"object","properties":{},"required":[]})");
  EXPECT_TRUE(file.permissions.empty());
}

TEST(ReadToolEntry, PlaceholdersAloneMakeTheParameters) {
  const ToolsFile file = read_config(R"({"tools": {"a": {"command": ["w", "{city}", "--unit={unit}"]}}})");
  EXPECT_EQ(
      to_json_text(command(file).settings.parameters),
      R"({"type":"object","properties":{"city":{"type":"string"},"unit":{"type":"string"}},"required":["city","unit"]})");
  EXPECT_EQ(command(file).input, CommandInput::arguments);
}

TEST(ReadToolEntry, SecretsAreNeverInherited) {
  const ToolsFile file =
      read_config(R"({"tools": {"a": {"command": ["w"], "inheritEnv": ["FILES_KEY", "LANG"]}}})");
  EXPECT_FALSE(command(file).launch.environment.contains("FILES_KEY"));
  EXPECT_TRUE(mentions(file, "warning: tools.a.inheritEnv: \"FILES_KEY\" looks like a secret"))
      << issues_of(file)[0];
}

TEST(ReadToolEntry, TheFenceFallsOnlyByTheOperatorsWord) {
  EXPECT_EQ(
      command(read_config(R"({"tools": {"a": {"command": ["w"], "sandbox": "none"}}})")).launch.access.fence,
      sandbox::Fence::none);
  for (const char* value :
       {"\"off\"", "false", "[]", "{\"network\": \"yes\"}", "{\"write\": [\"/\"]}", "{\"read\": [1]}"}) {
    const ToolsFile file =
        read_config(R"({"tools": {"a": {"command": ["w"], "sandbox": )" + std::string(value) + "}}}");
    EXPECT_TRUE(file.tools.empty()) << value;
    EXPECT_TRUE(mentions(file, "error: tools.a.sandbox")) << value;
  }
}

TEST(ReadToolEntry, OpenAiWrappingAndAliasesAreUndone) {
  const ToolsFile file = read_config(R"({"tools": [
      {"type": "function", "function": {"name": "a", "description": "A", "parameters": {"type":"object"}}, "command": ["x"]},
      {"name": "b", "input_schema": {"type":"object","properties":{"q":{}}}, "command": "x", "args": ["{q}"]},
      {"type": "function", "name": "c", "inputSchema": {"type":"object"}, "command": "y"}]})");
  EXPECT_EQ(issues_of(file), std::vector<std::string>{});
  ASSERT_EQ(file.tools.size(), 3u);
  EXPECT_EQ(settings_of(file.tools[0]).description, "A");
  EXPECT_EQ(command(file, 1).launch.argv, (std::vector<std::string>{"x", "{q}"}));
  EXPECT_EQ(command(file, 2).settings.parameters.size(), 1u);
}

TEST(ReadToolEntry, AFileMayBeAListOfTools) {
  const ToolsFile file =
      read_config(R"([{"type": "function", "function": {"name": "a"}, "command": ["x"]}])");
  ASSERT_EQ(file.tools.size(), 1u);
  EXPECT_EQ(settings_of(file.tools[0]).name, "a");
}

TEST(ReadToolEntry, ReadsHttp) {
  const ToolsFile file = read_config(R"({"tools": {
      "ticket": {"http": {"method": "PUT", "url": "https://x.example/{id}", "body": "json",
                          "headers": {"Authorization": "Bearer ${env:FILES_KEY}", "X-N": 1}}},
      "get": {"http": {"url": "http://127.0.0.1:9/x"}}}})");
  EXPECT_EQ(issues_of(file), std::vector<std::string>{});
  const auto& tool = std::get<HttpEntry>(file.tools.at(0));
  EXPECT_EQ(tool.method, "PUT");
  EXPECT_EQ(tool.url, "https://x.example/{id}");
  EXPECT_EQ(tool.body, inference::json::JsonValue("json"));
  EXPECT_EQ(tool.headers, (std::vector<HttpHeader>{{"Authorization", "Bearer sesame-42"}, {"X-N", "1"}}));
  EXPECT_EQ(std::get<HttpEntry>(file.tools.at(1)).method, "GET");
  EXPECT_TRUE(contains(file.secrets, "sesame-42"));
}

TEST(ReadToolEntry, PlaceholdersOfAnAddressAreParametersWhereTheFileNamesNone) {
  const ToolsFile file = read_config(R"({"tools": {
      "forecast": {"http": {"url": "https://x.example/{city}?days={days}"}},
      "own": {"http": {"url": "https://x.example/{id}"}, "parameters": {"properties": {"id": {"type": "integer"}}}},
      "none": {"http": {"url": "https://x.example/now"}}}})");
  EXPECT_EQ(issues_of(file), std::vector<std::string>{});
  const auto parameters = [&](std::size_t index) {
    return to_json_text(settings_of(file.tools.at(index)).parameters);
  };
  EXPECT_EQ(
      parameters(0),
      R"({"type":"object","properties":{"city":{"type":"string"},"days":{"type":"string"}},"required":["city","days"]})");
  EXPECT_EQ(parameters(1), R"({"properties":{"id":{"type":"integer"}}})");
  EXPECT_EQ(parameters(2), R"({"type":"object","properties":{},"required":[]})");
}

TEST(ReadToolEntry, EachProblemRefusesItsEntryOnlyAndSaysWhere) {
  const std::pair<const char*, const char*> cases[] = {
      {R"({"description": "x"})", "error: tools.bad: nothing says how the tool runs"},
      {R"({"command": []})", "error: tools.bad.command: expected the program"},
      {R"({"command": [""]})", "error: tools.bad.command"},
      {R"({"command": "date --utc"})", "error: tools.bad.command: there is no shell to split words"},
      {R"({"command": ["{program}"]})", "cannot be a placeholder"},
      {R"({"command": ["a", 1]})", "error: tools.bad.command: expected a list of strings; element 1"},
      {R"({"command": ["a", "${NOT_SET}"]})", "NOT_SET is not set"},
      {R"({"command": ["a", "{x}"], "parameters": {"type":"object","properties":{"y":{}}}})",
       "{x} is no property"},
      {R"({"command": ["a\u0000b"]})", "NUL"},
      {R"({"command": ["a"], "parameters": {"type":"string"}})",
       "error: tools.bad.parameters: \"type\" has to be"},
      {R"({"command": ["a"], "parameters": {"properties":{"x":{"$ref":"https://e.example/s"}}}})",
       "nothing is fetched"},
      {R"({"command": ["a"], "env": {"A=B": "x"}})", "cannot be a variable"},
      {R"({"command": ["a"], "envFile": "missing.env"})", "missing.env"},
      {R"({"command": ["a"], "cwd": "missing"})", "there is no folder /nowhere/missing"},
      {R"({"command": ["a"], "timeout": "10s"})", "error: tools.bad.timeout: expected a whole number from 1"},
      {R"({"command": ["a"], "output": "xml"})", "expected one of \"text\", \"json\", \"mcp\""},
      {R"({"command": ["a"], "approval": true})", "error: tools.bad.approval"},
      {R"({"builtin": "shell"})", "there is no built-in \"shell\"; there are \"calculator\""},
      {R"({"http": {"url": "file:///etc/passwd"}})", "error: tools.bad.http.url: expected an address"},
      {R"({"http": {"url": "http://a b"}})", "error: tools.bad.http.url"},
      {R"({"http": {"url": "http://ada:lovelace@x/y"}})",
       "error: tools.bad.http.url: a user name or password"},
      {R"({"http": {"url": "http://x", "method": "get it"}})", "error: tools.bad.http.method"},
      {R"({"http": {"url": "http://x", "headers": {"A": "b\r\nEvil: 1"}}})", "no header field"},
      {R"({"http": {"url": "http://x", "headers": {"A b": "c"}}})", "no header field"},
      {R"("date")", "error: tools.bad: expected an object"},
  };
  for (const auto& [entry, words] : cases) {
    const ToolsFile file = read_config(R"({"tools": {"good": {"command": ["date"]}, "bad": )" +
                                       std::string(entry) + R"(, "other": {"builtin": "calculator"}}})");
    EXPECT_TRUE(file.usable);
    EXPECT_EQ(file.tools.size(), 2u) << entry;
    EXPECT_TRUE(mentions(file, words)) << entry << "\n" << ::testing::PrintToString(issues_of(file));
    EXPECT_FALSE(mentions(file, "lovelace"));
  }
}

TEST(ReadToolEntry, WarnsOfKeysThatDoNothingForItsKind) {
  const ToolsFile file = read_config(R"({"tools": {
      "web": {"http": {"url": "http://x"}, "sandbox": "none", "env": {"A": "b"}, "timeout": 1000, "maxOutput": 1000},
      "calc": {"builtin": "calculator", "cwd": ".", "timeout": 1000, "parameters": {"type": "object"}, "approval": "auto"},
      "run": {"command": ["x"], "env": {"A": "b"}, "timeout": 1000, "maxOutput": 1000}, "old": {"command": ["x"], "readOnly": true}}})");
  EXPECT_EQ(file.tools.size(), 4u);
  EXPECT_EQ(issues_of(file),
            (Words{"warning: tools.web.env: this has no effect on a tool with \"http\"",
                   "warning: tools.web.sandbox: this has no effect on a tool with \"http\"",
                   "warning: tools.calc.cwd: this has no effect on a tool with \"builtin\"",
                   "warning: tools.calc.parameters: this has no effect on a tool with \"builtin\"",
                   "warning: tools.calc.timeout: this has no effect on a tool with \"builtin\"",
                   "warning: tools.old.readOnly: unknown key, which is not used"}));
}

TEST(ReadToolEntry, WarnsOfWhatLooksLikeAPlaceholderOfABodyAndIsNone) {
  const auto read = [](const std::string& body) {
    return read_config(R"({"tools": {"t": {"parameters": {"type": "object", "properties": {"city": {}}},
                           "http": {"url": "http://x", "body": )" +
                       body + "}}}}");
  };
  EXPECT_EQ(issues_of(read(R"({"q": "{city}", "g": "query($a: Int) { b }", "e": "{{cty}}"})")), Words{});
  const ToolsFile file = read(R"({"q": ["{cty}"]})");
  EXPECT_EQ(file.tools.size(), 1u);
  EXPECT_TRUE(mentions(file, "warning: tools.t.http.body: {cty} is no property"));
  EXPECT_TRUE(
      mentions(read(R"({"q": "${NOT_SET}"})"), "error: tools.t.http.body: the environment variable NOT_SET"));
}

TEST(ReadToolEntry, OddAndRepeatedNames) {
  const ToolsFile file =
      read_config(R"({"tools": {"my.tool": {"command": ["a"]}, "my_tool": {"command": ["b"]},
                                         "": {"command": ["c"]}, "off": {"command": ["d"], "disabled": true},
                                         "off2": {"command": ["${NOT_SET}"], "enabled": false}}})");
  ASSERT_EQ(file.tools.size(), 1u);
  EXPECT_EQ(settings_of(file.tools[0]).name, "my_tool");
  EXPECT_TRUE(mentions(file, "models see this tool as \"my_tool\""));
  EXPECT_TRUE(mentions(file, "error: tools.my_tool: a tool before it is called \"my_tool\" too"));
  EXPECT_TRUE(mentions(file, "the tool has no name"));
  EXPECT_EQ(file.issues.size(), 3u);
}

TEST(ReadToolEntry, ScriptsAndEnvironmentFilesLieBesideTheConfiguration) {
  const ScratchFolder folder;
  folder.write("run.py", "");
  folder.write(".env", "TOKEN=from-the-file\nMODE=fast\n");
  const ToolsFile file = read_config(
      R"({"tools": {"a": {"command": ["python3", "${configDir}/run.py"], "envFile": ".env", "env": {"MODE": "slow"}}}})",
      folder.path());
  const CommandEntry& tool = command(file);
  EXPECT_EQ(tool.launch.argv[0], "python3");
  EXPECT_EQ(tool.launch.access.readable, std::vector<std::filesystem::path>{folder / "run.py"});
  EXPECT_EQ(tool.launch.environment.at("TOKEN"), "from-the-file");
  EXPECT_EQ(tool.launch.environment.at("MODE"), "slow");
  EXPECT_TRUE(contains(file.secrets, "from-the-file"));
  EXPECT_FALSE(contains(file.secrets, "fast"));
}

TEST(ReadToolEntry, SystemFoldersAreNotOpenedByAWordOfTheArguments) {
  const ToolsFile file =
      read_config(R"({"tools": {"a": {"command": ["cat", "/etc/passwd", "/proc/1/environ", "/", "/usr"]}}})");
  EXPECT_TRUE(command(file).launch.access.readable.empty());
}

}  // namespace
}  // namespace parley::orchestration::tools
