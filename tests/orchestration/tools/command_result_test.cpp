#include "orchestration/tools/command_result.h"

#include <gtest/gtest.h>

#include "inference/json/json_writer.h"
#include "tests/orchestration/tools/recording_runner.h"

namespace parley::orchestration::tools {
namespace {

using End = sandbox::ProgramResult::End;
using Status = ToolResult::Status;

ResultRules rules(CommandOutput output = CommandOutput::text) {
  ResultRules rules;
  rules.program = "weather";
  rules.output = output;
  rules.max_output = 1000;
  rules.timeout = std::chrono::milliseconds(1500);
  rules.secrets = {"sesame-42"};
  return rules;
}

sandbox::ProgramResult ended(End end, int code, std::string error, std::string output = "") {
  sandbox::ProgramResult ran;
  ran.end = end;
  ran.code = code;
  ran.error = std::move(error);
  ran.output = std::move(output);
  return ran;
}

TEST(CommandResult, TextIsCleanedAndRedacted) {
  const ToolResult result = command_result(printed("\x1b[1m20 C\x1b[0m key sesame-42\xFF\n"), rules());
  EXPECT_EQ(result.status, Status::ok);
  EXPECT_EQ(result.text, "20 C key [redacted]\xEF\xBF\xBD\n");
  EXPECT_EQ(result.cut_bytes, 0u);
}

TEST(CommandResult, WhatTheRunnerCutIsTold) {
  sandbox::ProgramResult ran = printed("headtail");
  ran.cut_at = 4;
  ran.cut_bytes = 99;
  ResultRules plain = rules();
  plain.secrets.clear();
  const ToolResult result = command_result(ran, plain);
  EXPECT_EQ(result.text, "head\n\xE2\x80\xA6 99 bytes cut \xE2\x80\xA6\ntail");
  EXPECT_EQ(result.cut_bytes, 99u);
}

TEST(CommandResult, OfASecretThatTheCutWentThroughNothingIsShown) {
  const std::string filler(2000, 'x');
  sandbox::ProgramResult ran = printed(filler + "sesame-4" + "same-42" + filler);
  ran.cut_at = filler.size() + 8;
  ran.cut_bytes = 5000;
  const ToolResult result = command_result(ran, rules());
  EXPECT_EQ(result.text.find("s"), result.text.find("s cut")) << result.text;
  EXPECT_TRUE(result.text.starts_with(std::string(500, 'x')));
  EXPECT_TRUE(result.text.ends_with(std::string(500, 'x')));
  EXPECT_EQ(result.cut_bytes, 5000u + ran.output.size() - 1000);
  sandbox::ProgramResult failed = ended(End::exited, 1, "same-42 is plainly wrong");
  failed.error_cut_bytes = 1;
  EXPECT_EQ(command_result(failed, rules()).text, "weather ended with exit status 1: lainly wrong");
}

TEST(CommandResult, SaysWhatIsStillBeingEnded) {
  sandbox::ProgramResult late = ended(End::timed_out, 0, "");
  late.still_ending = true;
  EXPECT_EQ(command_result(late, rules()).text,
            "weather timed out after 1.5 s. Some of its processes are still being ended.");
  late.end = End::stopped;
  EXPECT_EQ(command_result(late, rules()).text,
            "weather was stopped. Some of its processes are still being ended.");
}

TEST(CommandResult, EveryBadEndIsASentence) {
  const std::tuple<sandbox::ProgramResult, Status, const char*> cases[] = {
      {ended(End::exited, 3, "no such city\n"), Status::error,
       "weather ended with exit status 3: no such city"},
      {ended(End::exited, 1, "", "usage: …\n"), Status::error, "weather ended with exit status 1: usage: …"},
      {ended(End::exited, 1, ""), Status::error, "weather ended with exit status 1."},
      {ended(End::exited, 1, "\x1b[31mbad sesame-42\x1b[0m"), Status::error,
       "weather ended with exit status 1: bad [redacted]"},
      {ended(End::signalled, 11, ""), Status::error, "weather was ended by signal 11."},
      {ended(End::timed_out, 0, ""), Status::timed_out, "weather timed out after 1.5 s."},
      {ended(End::stopped, 0, ""), Status::cancelled, "weather was stopped."},
      {ended(End::not_started, 0, "bubblewrap is missing; run: apt install bubblewrap"), Status::error,
       "weather could not be started: bubblewrap is missing; run: apt install bubblewrap"},
  };
  for (const auto& [ran, status, text] : cases) {
    const ToolResult result = command_result(ran, rules());
    EXPECT_EQ(result.status, status) << text;
    EXPECT_EQ(result.text, text);
  }
}

TEST(CommandResult, OfALongReasonTheEndStays) {
  const ToolResult result =
      command_result(ended(End::exited, 1, std::string(5000, 'a') + "\xE2\x82\xAC the reason"), rules());
  EXPECT_LT(result.text.size(), 2100u);
  EXPECT_NE(result.text.find("the reason"), std::string::npos);
}

TEST(CommandResult, JsonIsReadAndRewritten) {
  const ToolResult result =
      command_result(printed(" {\"a\": [1, \"x\\u001b[31m sesame-42\"]}\n"), rules(CommandOutput::json));
  EXPECT_EQ(result.status, Status::ok);
  EXPECT_EQ(result.text, R"({"a":[1,"x [redacted]"]})");
  ASSERT_TRUE(result.structured.has_value());
  EXPECT_EQ(inference::json::to_json_text(*result.structured), result.text);
}

TEST(CommandResult, WhatIsNoJsonIsAnError) {
  EXPECT_NE(command_result(printed("20 C"), rules(CommandOutput::json)).text.find("weather printed no JSON"),
            std::string::npos);
  EXPECT_EQ(command_result(printed(""), rules(CommandOutput::mcp)).status, Status::error);
  EXPECT_NE(command_result(printed(std::string(900, '[')), rules(CommandOutput::json)).text.find("no JSON"),
            std::string::npos);
  sandbox::ProgramResult cut = printed("{}");
  cut.cut_bytes = 5;
  EXPECT_NE(command_result(cut, rules(CommandOutput::json)).text.find("more than 1000 bytes"),
            std::string::npos);
}

TEST(CommandResult, McpContentIsTaken) {
  const ToolResult result = command_result(
      printed(R"({"content":[{"type":"text","text":"hi"}],"isError":true})"), rules(CommandOutput::mcp));
  EXPECT_EQ(result.status, Status::error);
  EXPECT_EQ(result.text, "hi");
}

}  // namespace
}  // namespace parley::orchestration::tools
