#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include <boost/json.hpp>

#include "orchestration/sandbox/run_program.h"
#include "orchestration/tools/approvals_file.h"
#include "storage/sqlite/folder_lock.h"
#include "tests/app/cli/program_run.h"
#include "tests/app/cli/tiny_model_file.h"
#include "tests/fakes/temp_directory.h"

namespace parley::app::cli {
namespace {

namespace tools = orchestration::tools;

class ToolsTest : public testing::Test {
 protected:
  std::string file(const std::string& text) {
    const auto path = folder_.path() / "tools.json";
    std::ofstream(path) << text;
    std::filesystem::permissions(path,
                                 std::filesystem::perms::owner_read | std::filesystem::perms::owner_write);
    return path.string();
  }
  std::string data() const { return (folder_.path() / "data").string(); }
  std::filesystem::path approvals() const { return folder_.path() / "data" / "approvals.json"; }
  void allow(const std::vector<tools::StandingApproval>& answers) {
    std::filesystem::create_directories(data());
    ASSERT_EQ(tools::save_approvals(approvals(), answers), std::nullopt);
  }
  Outcome call(const std::string& tools, const Arguments& more) {
    Arguments arguments = {"tools", "call", "--tools", tools, "--data", data()};
    arguments.insert(arguments.end(), more.begin(), more.end());
    return run(arguments);
  }

  tests::fakes::TempDirectory folder_;
  const std::string builtins_ = R"({"tools": {"calculator": {"builtin": "calculator", "approval": "auto"},
    "clock": {"builtin": "current_time", "approval": "deny"}}})";
};

TEST_F(ToolsTest, CallsATool) {
  const Outcome result = call(file(builtins_), {"calculator", R"({"expression": "6*7"})"});
  EXPECT_EQ(result.status, 0) << result.err;
  EXPECT_NE(result.out.find("42"), std::string::npos) << result.out;
}

TEST_F(ToolsTest, GivesTheWholeResultAsJson) {
  const Outcome result = call(file(builtins_), {"calculator", R"({"expression": "1/0"})", "--json"});
  EXPECT_EQ(result.status, 1) << "a failed call is a failed command";
  const auto object = boost::json::parse(result.out).as_object();
  EXPECT_EQ(object.at("status"), "error");
  EXPECT_NE(object.at("text").as_string(), "");
}

TEST_F(ToolsTest, ChecksBeforeItCalls) {
  const std::string tools = file(builtins_);
  EXPECT_NE(call(tools, {"calculater", "{}"}).err.find("did you mean calculator?"), std::string::npos);
  EXPECT_NE(call(tools, {"calculator", "{}"}).err.find("`expression`: is required"), std::string::npos);
  EXPECT_NE(call(tools, {"clock"}).err.find("deny"), std::string::npos);
  EXPECT_EQ(call(tools, {"calculator", "{"}).status, 2);
  EXPECT_EQ(call(tools, {"calculator", "[1]"}).status, 2);
  EXPECT_EQ(call(tools, {}).status, 2);
  EXPECT_NE(run({"tools", "call", "x", "--tools", "/nowhere/tools.json"}).err.find("/nowhere/tools.json"),
            std::string::npos);
}

TEST_F(ToolsTest, RunsCommandsBehindTheFence) {
  if (!orchestration::sandbox::fence_problem().empty()) {
    GTEST_SKIP() << "NOT TESTED: " << orchestration::sandbox::fence_problem();
  }
  const std::string tools = file(R"({"tools": {"look": {"command": ["ls", "{folder}"], "parameters":
    {"type": "object", "properties": {"folder": {"type": "string"}}, "required": ["folder"]}}}})");
  const Outcome inside = call(tools, {"look", R"({"folder": "/usr"})"});
  EXPECT_EQ(inside.status, 0) << inside.err;
  EXPECT_NE(inside.out.find("lib"), std::string::npos);
  EXPECT_EQ(call(tools, {"look", R"({"folder": "/root"})"}).status, 1);
}

TEST_F(ToolsTest, KeepsALogOfCalls) {
  const std::string tools = file(builtins_);
  call(tools, {"calculator", R"({"expression": "1+1"})"});
  call(tools, {"calculator", R"({"expression": "1/0"})"});
  const Outcome log = run({"tools", "log", "--data", data(), "--json"});
  EXPECT_EQ(log.status, 0) << log.err;
  const std::size_t border = log.out.find('\n');
  const auto first = boost::json::parse(log.out.substr(0, border)).as_object();
  const auto second = boost::json::parse(log.out.substr(border + 1)).as_object();
  EXPECT_EQ(first.at("tool"), "calculator");
  EXPECT_EQ(first.at("end"), "ok");
  EXPECT_EQ(second.at("end"), "error");
  EXPECT_EQ(log.out.find("1+1"), std::string::npos) << "arguments are kept as a hash only";
}

TEST_F(ToolsTest, GivesAResultWhereNothingCanBeKept) {
  const std::string tools = file(builtins_);
  std::ofstream(folder_.path() / "taken") << "a file";
  const std::string no_folder = (folder_.path() / "taken" / "data").string();
  const Outcome result =
      run({"tools", "call", "--tools", tools, "--data", no_folder, "calculator", R"({"expression": "6*7"})"});
  EXPECT_EQ(result.status, 0) << result.err;
  EXPECT_NE(result.out.find("42"), std::string::npos) << result.out;
  EXPECT_NE(result.err.find("the call is not in the log: the data folder " + no_folder), std::string::npos)
      << result.err;
}

TEST_F(ToolsTest, ListsWhatIsAllowedAndTakesItBack) {
  EXPECT_NE(run({"tools", "approvals", "--data", data()}).err.find("no tool is always allowed"),
            std::string::npos);
  allow({{.source = "command",
          .tool = "weather",
          .definition_hash = "h1",
          .since = tools::ApprovalTime(std::chrono::milliseconds(1'796'034'195'042))},
         {.source = "command", .tool = "weather", .definition_hash = "h2"},
         {.source = "mcp:files", .tool = "files_read", .definition_hash = "h3"}});
  const Outcome list = run({"tools", "approvals", "--data", data()});
  EXPECT_EQ(list.status, 0) << list.err;
  EXPECT_NE(list.out.find("since 2026-11-30T10:23:15Z"), std::string::npos) << list.out;
  EXPECT_EQ(std::count(list.out.begin(), list.out.end(), '\n'), 3);
  const std::string json = run({"tools", "approvals", "--data", data(), "--json"}).out;
  const auto first = boost::json::parse(json.substr(0, json.find('\n'))).as_object();
  EXPECT_EQ(first.at("tool"), "weather");
  EXPECT_EQ(first.at("since"), "2026-11-30T10:23:15Z");

  const Outcome forgotten = run({"tools", "approvals", "--data", data(), "--forget", "weather"});
  EXPECT_EQ(forgotten.out, "weather is no longer always allowed\n");
  const auto left = tools::load_approvals(approvals()).always;
  ASSERT_EQ(left.size(), 1u);
  EXPECT_EQ(left[0].tool, "files_read");
  const Outcome log = run({"tools", "log", "--data", data()});
  EXPECT_EQ(std::count(log.out.begin(), log.out.end(), '\n'), 2) << log.out;
  EXPECT_NE(log.out.find("withdrawn"), std::string::npos);
  EXPECT_EQ(log.out.find(" ms"), std::string::npos) << "it was no call: " << log.out;
  EXPECT_EQ(run({"tools", "approvals", "--data", data(), "--forget", "weather"}).status, 1);
}

TEST_F(ToolsTest, TakesNothingBackBehindARunningServersBack) {
  allow({{.source = "command", .tool = "weather", .definition_hash = "h"}});
  const storage::sqlite::FolderLock server(data());
  const Outcome refused = run({"tools", "approvals", "--data", data(), "--forget", "weather"});
  EXPECT_EQ(refused.status, 1);
  EXPECT_NE(refused.err.find("is in use by process"), std::string::npos) << refused.err;
  EXPECT_EQ(tools::load_approvals(approvals()).always.size(), 1u);
  EXPECT_EQ(run({"tools", "approvals", "--data", data()}).status, 0) << "looking is free";
}

TEST_F(ToolsTest, ReportsWhatAFileGives) {
  const std::string tools = file(
      R"({"tools": {"calculator": {"builtin": "calculator", "aproval": "auto"}, "bad": {"command": []},
      "list": {"command": ["ls"], "parameters": {"type": "object", "properties":
      {"a": {"type": "array", "uniqueItems": true}}}}}})");
  const TinyModelFile model;  // quick to load, unlike the default one
  const Arguments check = {"tools", "check", tools, "--data", data(), "--model", model.name()};
  const Outcome text = run(check);
  EXPECT_EQ(text.status, 1) << "one entry is broken";
  for (const char* words : {"tools.bad", "aproval", "approval", "calculator  (builtin, ask", "uniqueItems"}) {
    EXPECT_NE(text.out.find(words), std::string::npos) << words << "\n" << text.out;
  }
  Arguments as_json = check;
  as_json.emplace_back("--json");
  const auto report = boost::json::parse(run(as_json).out).as_object();
  EXPECT_EQ(report.at("tools").as_array().size(), 2u);
  EXPECT_EQ(report.at("errors").as_array().size(), 1u);
  EXPECT_GT(report.at("tools").at(0).at("bytes").to_number<int>(), 50);
}

TEST_F(ToolsTest, TellsWhatTheToolsCostEachModel) {
  const TinyModelFile model;
  const std::string tools = file(builtins_);
  const Arguments check = {"tools", "check", tools, "--data", data(), "--model", model.name()};
  const Outcome text = run(check);
  EXPECT_EQ(text.status, 0) << text.err;
  EXPECT_NE(text.out.find("tiny (none): cannot call tools, they are left out\n"), std::string::npos)
      << text.out;
  EXPECT_NE(text.out.find(" tokens of descriptions"), std::string::npos) << text.out;
  Arguments both = check;
  both.insert(both.end(), {"--model", model.name(), "--json"});
  const auto report = boost::json::parse(run(both).out).as_object();
  ASSERT_EQ(report.at("models").as_array().size(), 2u);
  EXPECT_EQ(report.at("models").at(1).at("model"), "tiny");
  EXPECT_EQ(report.at("models").at(1).at("tokens"), 0);
  EXPECT_TRUE(report.at("no_model").is_null());
  EXPECT_EQ(run({"tools", "check", tools, "--model", "/nowhere/m.gguf"}).status, 1) << "it was asked for";
}

TEST_F(ToolsTest, SaysThatThereIsNoModelToCountFor) {
  const std::string config = (folder_.path() / "parley.json").string();
  std::ofstream(config) << R"({"model": "/nowhere/m.gguf"})";
  const Outcome text = run({"tools", "check", file(builtins_), "--data", data(), "--config", config});
  EXPECT_EQ(text.status, 0) << text.err;
  EXPECT_NE(text.out.find("no tokens and no times: there is no model file /nowhere/m.gguf"),
            std::string::npos)
      << text.out;
  EXPECT_NE(text.out.find(" bytes of descriptions"), std::string::npos) << text.out;
}

TEST_F(ToolsTest, SaysWhichCommandsThereAre) {
  EXPECT_EQ(run({"tools"}).status, 2);
  EXPECT_EQ(run({"tools", "--help"}).status, 0);
  EXPECT_NE(run({"tools", "chek"}).err.find("check"), std::string::npos);
}

}  // namespace
}  // namespace parley::app::cli
