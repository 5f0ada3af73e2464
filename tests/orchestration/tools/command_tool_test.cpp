#include "orchestration/tools/command_tool.h"

#include <gtest/gtest.h>

#include "tests/orchestration/tools/config_text.h"
#include "tests/orchestration/tools/recording_runner.h"
#include "tests/orchestration/tools/scratch_folder.h"

namespace parley::orchestration::tools {
namespace {

using inference::json::JsonObject;
using Status = ToolResult::Status;
using Words = std::vector<std::string>;
using std::chrono::milliseconds;
using std::chrono::steady_clock;

CommandEntry entry_of(const std::string& entry, const std::filesystem::path& folder = "/nowhere") {
  const ToolsFile file = read_config("{\"tools\": {\"t\": " + entry + "}}", folder);
  EXPECT_EQ(file.tools.size(), 1u) << ::testing::PrintToString(issues_of(file));
  return std::get<CommandEntry>(file.tools.at(0));
}

class CommandToolTest : public ::testing::Test {
 protected:
  std::unique_ptr<Tool> tool(const std::string& entry) {
    CommandSurroundings surroundings = recorded(recording_);
    surroundings.secrets = {"sesame-42"};
    surroundings.hidden = {"/data/parley"};
    return make_command_tool(entry_of(entry), surroundings);
  }
  std::shared_ptr<Recording> recording_ = std::make_shared<Recording>(Recording{.answer = printed("done")});
};

TEST_F(CommandToolTest, PutsArgumentsIntoTheWords) {
  const auto weather = tool(R"({"command": ["weather", "--city", "{city}"], "maxOutput": 5000,
                                "sandbox": {"network": true, "write": ["/tmp/x"]}})");
  EXPECT_EQ(weather->run({{"city", "Oslo; rm"}}, call_within(milliseconds(1000))).text, "done");
  const sandbox::Program& program = recording_->programs.at(0);
  EXPECT_EQ(program.argv, (Words{"weather", "--city", "Oslo; rm"}));
  EXPECT_EQ(program.access.network, sandbox::Network::on);
  EXPECT_EQ(program.access.hidden, std::vector<std::filesystem::path>{"/data/parley"});
  EXPECT_EQ(recording_->options.at(0).input, "");
  EXPECT_EQ(recording_->options.at(0).max_output, 5000u + 2 * 12)
      << "with room for a secret at each side of a cut";
}

TEST_F(CommandToolTest, WithoutPlaceholdersTheArgumentsAreInput) {
  tool(R"({"command": ["weather"]})")->run({{"city", "Oslo"}}, call_within(milliseconds(1000)));
  EXPECT_EQ(recording_->programs.at(0).argv, Words{"weather"});
  EXPECT_EQ(recording_->options.at(0).input, "{\"city\":\"Oslo\"}");
}

TEST_F(CommandToolTest, TheNearerDeadlineHolds) {
  const auto quick = tool(R"({"command": ["weather"], "timeout": 1000})");
  EXPECT_EQ(quick->spec().timeout, milliseconds(1000));
  EXPECT_EQ(tool(R"({"command": ["weather"]})")->spec().timeout, std::nullopt);
  const auto before = steady_clock::now();
  quick->run({}, call_within(milliseconds(60'000)));
  EXPECT_LT(recording_->options.at(0).deadline, before + milliseconds(30'000));
  recording_->answer.end = sandbox::ProgramResult::End::timed_out;
  EXPECT_EQ(quick->run({}, call_within(milliseconds(60'000))).text, "t timed out after 1 s.");
  quick->run({}, call_within(milliseconds(-5)));
  EXPECT_LE(recording_->options.at(2).deadline, steady_clock::now());
}

TEST_F(CommandToolTest, NothingRunsWhereAnArgumentIsRefused) {
  const auto weather = tool(R"({"command": ["weather", "{city}"]})");
  const ToolResult result = weather->run({{"city", "--help"}}, call_within(milliseconds(1000)));
  EXPECT_EQ(result.status, Status::error);
  EXPECT_NE(result.text.find("must not begin with"), std::string::npos);
  EXPECT_TRUE(recording_->programs.empty());
  tool(R"({"command": ["weather", "{city}"], "allowDash": true})")
      ->run({{"city", "--help"}}, call_within(milliseconds(1000)));
  EXPECT_EQ(recording_->programs.size(), 1u);
}

TEST_F(CommandToolTest, PreviewIsCompleteButForSecrets) {
  const auto weather =
      tool(R"({"command": ["weather", "--key=${env:FILES_KEY}", "{city}"], "input": "stdin-json"})");
  const CallPreview preview = weather->preview({{"city", std::string(10'000, 'x')}});
  EXPECT_EQ(preview.kind, "command");
  EXPECT_EQ(preview.words, (Words{"weather", "--key=[redacted]", std::string(10'000, 'x')}));
  EXPECT_EQ(preview.input.size(), 10'000u + 11);
}

TEST_F(CommandToolTest, LinesOfStandardErrorAreProgressWhereAsked) {
  recording_->error_lines = {"\x1b[32m50 %\x1b[0m sesame-42", "done"};
  Words seen;
  CallContext context = call_within(milliseconds(1000));
  context.progress = [&](const ToolProgress& progress) { seen.push_back(progress.message); };
  tool(R"({"command": ["x"]})")->run({}, context);
  EXPECT_TRUE(seen.empty());
  tool(R"({"command": ["x"], "progress": "stderr-lines"})")->run({}, context);
  EXPECT_EQ(seen, (Words{"50 % [redacted]", "done"}));
}

TEST_F(CommandToolTest, ALineThatWasCutShowsNoPartOfASecret) {
  const std::string begin(sandbox::kMaxToldLine - 8, '.');
  recording_->error_lines = {begin + "sesame-4"};  // and the 2 was behind the cut
  Words seen;
  CallContext context = call_within(milliseconds(1000));
  context.progress = [&](const ToolProgress& progress) { seen.push_back(progress.message); };
  tool(R"({"command": ["x"], "progress": "stderr-lines"})")->run({}, context);
  ASSERT_EQ(seen.size(), 1u);
  EXPECT_EQ(seen[0].find("ses"), std::string::npos) << seen[0];
}

TEST_F(CommandToolTest, TheHashChangesWithWhatACallDoes) {
  const auto hash = [&](const std::string& entry) { return tool(entry)->spec().definition_hash; };
  const std::string plain = hash(R"({"command": ["x", "{a}"]})");
  EXPECT_EQ(plain.size(), 64u);
  EXPECT_EQ(plain, hash(R"({"command": ["x", "{a}"], "timeout": 1000, "approval": "auto"})"));
  for (const char* other :
       {R"({"command": ["y", "{a}"]})", R"({"command": ["x", "{b}"]})",
        R"({"command": ["x", "{a}"], "description": "new"})",
        R"({"command": ["x", "{a}"], "env": {"A": "1"}})", R"({"command": ["x", "{a}"], "sandbox": "none"})",
        R"({"command": ["x", "{a}"], "allowDash": true})",
        R"({"command": ["x", "{a}"], "input": "stdin-json"})"}) {
    EXPECT_NE(hash(other), plain) << other;
  }
}

// With the real sandbox.
class CommandToolInSandbox : public ::testing::Test {
 protected:
  void SetUp() override {
    if (!sandbox::fence_problem().empty()) GTEST_SKIP() << sandbox::fence_problem();
  }
  ToolResult run(const std::string& entry, const JsonObject& arguments,
                 milliseconds time = milliseconds(60'000)) {
    return make_command_tool(entry_of(entry, folder_.path()), {})->run(arguments, call_within(time));
  }
  ScratchFolder folder_;
};

TEST_F(CommandToolInSandbox, AValueIsOneWordAndNoShellSeesIt) {
  const ToolResult result = run(R"({"command": ["printf", "[%s]", "{a}", "{b}"]})",
                                {{"a", "$(id) `id`; echo x"}, {"b", "two words"}});
  EXPECT_EQ(result.status, Status::ok) << result.text;
  EXPECT_EQ(result.text, "[$(id) `id`; echo x][two words]");
}

TEST_F(CommandToolInSandbox, AScriptBesideTheFileReadsItsInput) {
  ASSERT_EQ(::chmod(folder_.path().c_str(), 0755), 0);
  folder_.write("up.py", "import json, sys\nprint(json.dumps({'got': json.load(sys.stdin)}))\n", 0644);
  const ToolResult result =
      run(R"({"command": ["python3", "${configDir}/up.py"], "output": "json"})", {{"a", "\xC3\xA9\n"}});
  EXPECT_EQ(result.status, Status::ok) << result.text;
  EXPECT_EQ(result.text, "{\"got\":{\"a\":\"\xC3\xA9\\n\"}}");
}

TEST_F(CommandToolInSandbox, EnvironmentAndFilesOfTheServerAreNotThere) {
  ::setenv("PARLEY_TEST_SECRET", "must-not-be-seen", 1);
  const ToolResult result = run(R"({"command": ["env"], "env": {"A": "b"}})", {});
  ::unsetenv("PARLEY_TEST_SECRET");
  EXPECT_NE(result.text.find("A=b\n"), std::string::npos) << result.text;
  EXPECT_EQ(result.text.find("must-not-be-seen"), std::string::npos) << result.text;
  const ToolResult shadow = run(R"({"command": ["cat", "/etc/shadow"]})", {});
  EXPECT_EQ(shadow.status, Status::error) << shadow.text;
}

TEST_F(CommandToolInSandbox, NoCutShowsAPartOfASecret) {
  CommandSurroundings surroundings;
  surroundings.secrets = {"sesame-42-sesame-42"};
  // Wherever the cuts of output and errors fall, they fall into a secret.
  const CommandEntry entry = entry_of(
      R"x({"command": ["python3", "-c", "import sys; s = 'sesame-42-sesame-42,'; print(s * 10000); sys.stderr.write(s * 10000); sys.exit(int(sys.argv[1]))", "{code}"],
           "maxOutput": 999})x",
      folder_.path());
  const auto tool = make_command_tool(entry, surroundings);
  const ToolResult good = tool->run({{"code", 0}}, call_within(milliseconds(60'000)));
  EXPECT_EQ(good.status, Status::ok) << good.text;
  EXPECT_EQ(good.text.find("same"), std::string::npos) << good.text;
  EXPECT_NE(good.text.find("bytes cut"), std::string::npos) << good.text;
  EXPECT_GT(good.cut_bytes, 190'000u);
  const ToolResult bad = tool->run({{"code", 3}}, call_within(milliseconds(60'000)));
  EXPECT_EQ(bad.status, Status::error);
  EXPECT_EQ(bad.text.find("same"), std::string::npos) << bad.text;
}

TEST_F(CommandToolInSandbox, FailuresAreResults) {
  EXPECT_EQ(run(R"x({"command": ["python3", "-c", "import sys; sys.exit('no such city')"]})x", {}).text,
            "t ended with exit status 1: no such city");
  EXPECT_EQ(run(R"({"command": ["no-such-program-here"]})", {}).status, Status::error);
  const auto start = steady_clock::now();
  const ToolResult late = run(R"({"command": ["sleep", "60"], "timeout": 700})", {});
  EXPECT_EQ(late.status, Status::timed_out);
  EXPECT_EQ(late.text, "t timed out after 0.7 s.");
  EXPECT_LT(steady_clock::now() - start, std::chrono::seconds(30));  // and not 60: machines may be busy
}

}  // namespace
}  // namespace parley::orchestration::tools
