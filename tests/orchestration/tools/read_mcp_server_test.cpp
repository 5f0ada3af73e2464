#include "orchestration/tools/read_mcp_server.h"

#include <gtest/gtest.h>

#include "tests/orchestration/tools/config_text.h"

namespace parley::orchestration::tools {
namespace {

const Launch& launch(const ToolsFile& file, std::size_t index = 0) {
  return std::get<Launch>(file.mcp_servers.at(index).transport);
}
const McpHttp& remote(const ToolsFile& file, std::size_t index = 0) {
  return std::get<McpHttp>(file.mcp_servers.at(index).transport);
}
using Words = std::vector<std::string>;

TEST(ReadMcpServer, TakesClaudeDesktopsFile) {
  const ToolsFile file = read_config(R"({"mcpServers": {
      "filesystem": {"command": "npx", "args": ["-y", "@modelcontextprotocol/server-filesystem", "/no/such/folder"]},
      "github": {"command": "docker", "args": ["run", "-i"], "env": {"GITHUB_PERSONAL_ACCESS_TOKEN": "ghp_literal"}}}})");
  EXPECT_EQ(issues_of(file), Words{});
  ASSERT_EQ(file.mcp_servers.size(), 2u);
  EXPECT_EQ(file.mcp_servers[0].name, "filesystem");
  EXPECT_EQ(file.mcp_servers[0].source, "mcp:filesystem");
  EXPECT_EQ(launch(file).argv,
            (Words{"npx", "-y", "@modelcontextprotocol/server-filesystem", "/no/such/folder"}));
  EXPECT_EQ(launch(file).access.network, sandbox::Network::on);
  EXPECT_FALSE(launch(file).environment.contains("PATH")) << "the starter's, where npx is found";
  EXPECT_EQ(launch(file).access.fence, sandbox::Fence::bubblewrap);
  EXPECT_TRUE(contains(file.secrets, "ghp_literal"));
}

TEST(ReadMcpServer, TakesClaudeCodesFile) {
  const ToolsFile file = read_config(R"({"mcpServers": {
      "api": {"type": "http", "url": "${API_BASE:-https://api.example}/mcp", "headers": {"Authorization": "Bearer ${FILES_KEY}"}},
      "old": {"type": "sse", "url": "https://mcp.example/sse"},
      "db": {"type": "stdio", "command": "/opt/db", "args": ["--config", "${userHome}/db.json"], "env": {"K": "${FILES_KEY}"}, "timeout": 600000}}})");
  EXPECT_EQ(issues_of(file), Words{});
  EXPECT_EQ(remote(file).url, "https://api.example/mcp");
  EXPECT_EQ(remote(file).headers, (std::vector<HttpHeader>{{"Authorization", "Bearer sesame-42"}}));
  EXPECT_EQ(launch(file, 2).argv, (Words{"/opt/db", "--config", "/home/ada/db.json"}));
  EXPECT_EQ(file.mcp_servers[2].timeout, std::chrono::minutes(10));
}

TEST(ReadMcpServer, TakesCursorsAndLmStudiosFile) {
  const ToolsFile file = read_config(R"({"mcpServers": {
      "a": {"command": "python", "args": ["${workspaceFolder}/a.py"], "env": {"K": "${env:FILES_KEY}"}, "envFile": null},
      "b": {"url": "http://localhost:3000/sse", "headers": {"X": "y"}, "allowed_tools": ["one"]}}})");
  EXPECT_EQ(issues_of(file), Words{});
  EXPECT_EQ(launch(file).argv[1], "/nowhere/a.py");
  EXPECT_EQ(launch(file).environment.at("K"), "sesame-42");
  EXPECT_EQ(file.mcp_servers[1].include, Words{"one"});
}

TEST(ReadMcpServer, TakesVsCodesFile) {
  const char* servers = R"({"inputs": [{"type": "promptString", "id": "key", "password": true}], "servers": {
      "perplexity": {"type": "stdio", "command": "npx", "args": ["server"], "env": {"KEY": "${input:key}"}, "dev": {"watch": "x"}},
      "fetch": {"type": "http", "url": "https://f.example/mcp", "gallery": true, "version": "1.0"}}})";
  for (const std::string& text : {std::string(servers), "{\"mcp\": " + std::string(servers) + "}"}) {
    const ToolsFile file = read_config(text);
    ASSERT_EQ(file.mcp_servers.size(), 1u) << text;
    EXPECT_EQ(file.mcp_servers[0].name, "fetch");
    EXPECT_TRUE(mentions(file,
                         "servers.perplexity.env: ${input:key} asks a person, which a server cannot; set the "
                         "variable PARLEY_INPUT_KEY"));
    EXPECT_EQ(file.issues.size(), 1u);
  }
}

TEST(ReadMcpServer, TakesOpencodesFile) {
  const ToolsFile file = read_config(R"({"$schema": "https://opencode.example/config.json", "mcp": {
      "local": {"type": "local", "command": ["bun", "x", "srv"], "environment": {"A": "1"}, "enabled": true},
      "far": {"type": "remote", "url": "https://m.example", "enabled": false}}})");
  EXPECT_EQ(issues_of(file), Words{});
  EXPECT_EQ(launch(file).argv, (Words{"bun", "x", "srv"}));
  EXPECT_EQ(launch(file).environment.at("A"), "1");
  EXPECT_TRUE(file.mcp_servers[1].disabled);
}

TEST(ReadMcpServer, TakesGeminisClinesAndRoosExtras) {
  const ToolsFile file = read_config(R"({"mcpServers": {
      "g": {"httpUrl": "https://g.example/mcp", "trust": true, "includeTools": ["read_*"], "excludeTools": ["read_secret"]},
      "c": {"command": "x", "autoApprove": ["list.all", "get_*"], "disabledTools": ["rm"], "disabled": false},
      "r": {"type": "streamableHttp", "url": "https://r.example", "alwaysAllow": ["q"]}}})");
  EXPECT_EQ(issues_of(file), Words{});
  EXPECT_EQ(file.mcp_servers[0].include, Words{"read_*"});
  EXPECT_EQ(file.mcp_servers[0].exclude, Words{"read_secret"});
  EXPECT_EQ(file.mcp_servers[1].exclude, Words{"rm"});
  std::vector<std::string> rules;
  for (const PermissionRule& rule : file.permissions) {
    EXPECT_EQ(rule.decision, Decision::automatic);
    rules.push_back(rule.source + " " + rule.tool);
  }
  EXPECT_EQ(rules, (Words{"mcp:g g_*", "mcp:c c_list_all", "mcp:c c_get_*", "mcp:r r_q"}));
}

TEST(ReadMcpServer, SwitchedOffServersMayLackWhatTheyNeed) {
  const ToolsFile file = read_config(R"({"mcpServers": {"a": {"command": "${NOT_SET}", "disabled": true}}})");
  EXPECT_EQ(issues_of(file), Words{});
  EXPECT_TRUE(file.mcp_servers.at(0).disabled);
}

TEST(ReadMcpServer, EachProblemRefusesItsEntryOnly) {
  const std::pair<const char*, const char*> cases[] = {
      {"{}", "nothing says how to reach the server"},
      {R"({"command": "x", "url": "http://a"})", "either \"command\" or \"url\""},
      {R"({"command": "x", "type": "http"})", "this type needs a \"url\""},
      {R"({"url": "http://a", "type": "stdio"})", "this type needs a \"command\""},
      {R"({"url": "ws://a"})", "expected an address"},
      {R"({"url": "https://ada:lovelace@a/mcp"})", "a user name or password in an address"},
      {R"({"url": "http://a", "type": "carrier-pigeon"})", "expected one of \"stdio\""},
      {R"({"command": "npx -y server"})", "there is no shell"},
      {R"({"command": "x", "args": "y", "env": {"A": {}}})", "expected strings"},
      {R"({"command": "x", "autoApprove": 1})", "expected a list of strings"},
      {"[]", "expected an object"},
  };
  for (const auto& [entry, words] : cases) {
    const ToolsFile file =
        read_config(R"({"mcpServers": {"bad": )" + std::string(entry) + R"(, "good": {"command": "y"}}})");
    ASSERT_EQ(file.mcp_servers.size(), 1u) << entry;
    EXPECT_EQ(file.mcp_servers[0].name, "good");
    EXPECT_TRUE(mentions(file, words)) << entry << ::testing::PrintToString(issues_of(file));
    EXPECT_TRUE(mentions(file, "error: mcpServers.bad")) << entry;
  }
}

TEST(ReadMcpServer, TheSameNameUnderTwoKeysIsRefused) {
  const ToolsFile file =
      read_config(R"({"mcpServers": {"a": {"command": "x"}}, "servers": {"a": {"command": "y"}}})");
  EXPECT_EQ(file.mcp_servers.size(), 1u);
  EXPECT_TRUE(mentions(file, "a server before it is called \"a\" too"));
}

}  // namespace
}  // namespace parley::orchestration::tools
