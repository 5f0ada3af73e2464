#include "orchestration/tools/private_files.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "orchestration/tools/command_tool.h"
#include "tests/orchestration/tools/config_text.h"
#include "tests/orchestration/tools/scratch_folder.h"

namespace parley::orchestration::tools {
namespace {

using Paths = std::vector<std::filesystem::path>;

const Launch& launch_of(const ToolEntry& tool) { return std::get<CommandEntry>(tool).launch; }

TEST(PrivateFiles, AreAllThatTheFileTakesSecretsFrom) {
  const ScratchFolder folder;
  folder.write("secrets/a", "sesame-42");
  folder.write("b.env", "TOKEN=open-sesame");
  const ToolsFile file = read_config(R"({
      "tools": {"t": {"command": ["x"], "env": {"K": "Bearer ${file:secrets/a} ${file:secrets/a}"}},
                "web": {"http": {"url": "http://a.example", "headers": {"X-Key": "${file:/etc/key}"}}}},
      "mcpServers": {"m": {"command": "x", "envFile": "${configDir}/b.env"},
                     "off": {"command": "x", "envFile": "~/c.env", "args": ["${file:secrets/./d}"], "disabled": true}},
      "discover": [{"command": ["l"], "call": ["c"]}]})",
                                     folder.path());
  const Paths expected = {folder / "secrets/a", "/etc/key", folder / "b.env", "/home/ada/c.env",
                          folder / "secrets/d"};
  EXPECT_EQ(launch_of(file.tools.at(0)).access.hidden, expected);
  EXPECT_EQ(std::get<Launch>(file.mcp_servers.at(0).transport).access.hidden, expected);
  EXPECT_EQ(file.discover.at(0).list.access.hidden, expected);
  EXPECT_EQ(file.discover.at(0).call.access.hidden, expected);
}

TEST(PrivateFiles, TheToolsFileIsOneToo) {
  const ScratchFolder folder;
  const auto path = folder.write("tools.json", R"({"tools": {"t": {"command": ["x"]}}})");
  const ToolsFile file = load_tools_file(path, environment_of({}));
  EXPECT_EQ(launch_of(file.tools.at(0)).access.hidden, Paths{path});
}

TEST(PrivateFiles, EveryProgramKnowsWhereAnyMayWrite) {
  const ToolsFile file = read_config(R"({
      "tools": {"a": {"command": ["x"], "sandbox": {"write": ["/srv/work", "/srv/a"]}}, "b": {"command": ["y"]}},
      "mcpServers": {"m": {"command": "x", "sandbox": {"write": ["/srv/work"]}}}})");
  const Paths expected = {"/srv/a", "/srv/work"};
  EXPECT_EQ(launch_of(file.tools.at(1)).access.changeable, expected);
  EXPECT_EQ(std::get<Launch>(file.mcp_servers.at(0).transport).access.changeable, expected);
}

class PrivateFilesInSandbox : public ::testing::Test {
 protected:
  void SetUp() override {
    if (!sandbox::fence_problem().empty()) GTEST_SKIP() << sandbox::fence_problem();
    ASSERT_EQ(::chmod(folder_.path().c_str(), 0755), 0);
    folder_.write("tools.json", R"({"tools": {"t": {"command": ["cat", "tools.json", "secrets/a", "other"],
        "env": {"K": "${file:secrets/a}"}, "cwd": ".", "sandbox": {"read": ["."]}}}})",
                  0644);
    folder_.write("secrets/a", "sesame-42", 0644);
    folder_.write("other", "other", 0644);
  }
  // As the registry does, but for what is allowed to whom: others may read the file here, so that a test as
  // root sees the fence and not the file's mode.
  ToolResult run() {
    const ToolsFile file = load_tools_file(folder_ / "tools.json", environment_of({}));
    EXPECT_EQ(issues_of(file), std::vector<std::string>{});
    CommandSurroundings surroundings;
    surroundings.secrets = {};  // so that only the fence hides them
    CallContext context;
    context.deadline = std::chrono::steady_clock::now() + std::chrono::seconds(20);
    return make_command_tool(std::get<CommandEntry>(file.tools.at(0)), surroundings)->run({}, context);
  }
  ScratchFolder folder_;
};

TEST_F(PrivateFilesInSandbox, AreEmptyForAProgramThatSeesTheirFolder) { EXPECT_EQ(run().text, "other"); }

}  // namespace
}  // namespace parley::orchestration::tools
