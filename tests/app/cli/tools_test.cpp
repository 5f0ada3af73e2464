#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <string>

#include <boost/json.hpp>

#include "orchestration/sandbox/run_program.h"
#include "tests/app/cli/program_run.h"
#include "tests/fakes/temp_directory.h"

namespace parley::app::cli {
namespace {

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

TEST_F(ToolsTest, ReportsWhatAFileGives) {
  const std::string tools = file(
      R"({"tools": {"calculator": {"builtin": "calculator", "aproval": "auto"}, "bad": {"command": []},
      "list": {"command": ["ls"], "parameters": {"type": "object", "properties":
      {"a": {"type": "array", "uniqueItems": true}}}}}})");
  const Outcome text = run({"tools", "check", tools, "--data", data()});
  EXPECT_EQ(text.status, 1) << "one entry is broken";
  for (const char* words : {"tools.bad", "aproval", "approval", "calculator  (builtin, ask", "uniqueItems"}) {
    EXPECT_NE(text.out.find(words), std::string::npos) << words << "\n" << text.out;
  }
  const auto report =
      boost::json::parse(run({"tools", "check", tools, "--data", data(), "--json"}).out).as_object();
  EXPECT_EQ(report.at("tools").as_array().size(), 2u);
  EXPECT_EQ(report.at("errors").as_array().size(), 1u);
  EXPECT_GT(report.at("tools").at(0).at("bytes").to_number<int>(), 50);
}

TEST_F(ToolsTest, SaysWhichCommandsThereAre) {
  EXPECT_EQ(run({"tools"}).status, 2);
  EXPECT_EQ(run({"tools", "--help"}).status, 0);
  EXPECT_NE(run({"tools", "chek"}).err.find("check"), std::string::npos);
}

}  // namespace
}  // namespace parley::app::cli
