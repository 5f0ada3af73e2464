#include "orchestration/tools/discover_tools.h"

#include <gtest/gtest.h>

#include "inference/json/json_writer.h"
#include "tests/orchestration/tools/recording_runner.h"

namespace parley::orchestration::tools {
namespace {

DiscoverEntry sample_entry() {
  DiscoverEntry entry;
  entry.source = "discover:1";
  entry.list.argv = {"/bin/list"};
  entry.call.argv = {"/bin/call", "--fast"};
  entry.timeout = std::chrono::milliseconds(2000);
  return entry;
}

std::vector<std::string> names_in(const DiscoveredTools& found) {
  std::vector<std::string> names;
  for (const CommandEntry& tool : found.tools) names.push_back(tool.settings.name);
  return names;
}

TEST(DiscoverTools, ReadsEveryWrapping) {
  const DiscoveredTools found = read_declarations(R"([
      {"name": "a", "description": "A", "parameters": {"type": "object", "properties": {"x": {"type": "string"}}}},
      {"functionDeclarations": [{"name": "b", "parametersJsonSchema": {"type": "object"}}]},
      {"function_declarations": [{"name": "c"}]},
      {"type": "function", "function": {"name": "d.e", "description": "D"}}])",
                                                  sample_entry());
  EXPECT_EQ(names_in(found), (std::vector<std::string>{"a", "b", "c", "d_e"}));
  EXPECT_TRUE(found.issues.empty());
  EXPECT_EQ(found.tools[0].settings.description, "A");
  EXPECT_TRUE(found.tools[0].settings.parameters.contains("properties"));
  EXPECT_EQ(found.tools[3].launch.argv, (std::vector<std::string>{"/bin/call", "--fast", "d.e"}));
  EXPECT_EQ(found.tools[0].input, CommandInput::json);
  EXPECT_EQ(found.tools[0].settings.timeout, std::chrono::milliseconds(2000));
}

TEST(DiscoverTools, OneBadDeclarationDoesNotLoseTheOthers) {
  const DiscoveredTools found = read_declarations(
      R"([1, {"description": "x"}, {"name": "a", "parameters": {"type": "string"}}, {"name": "--all"}, {"name": "{x}"},
          {"name": "good"}])",
      sample_entry());
  EXPECT_EQ(names_in(found), std::vector<std::string>{"good"});
  EXPECT_EQ(found.issues.size(), 5u);
  for (const ConfigIssue& issue : found.issues) EXPECT_EQ(issue.place, "discover:1");
}

TEST(DiscoverTools, WhatIsNoListIsOneIssue) {
  for (const char* text : {"", "tools:", "\"x\"", "1", "[{]"}) {
    const DiscoveredTools found = read_declarations(text, sample_entry());
    EXPECT_TRUE(found.tools.empty()) << text;
    EXPECT_EQ(found.issues.size(), 1u) << text;
  }
}

TEST(DiscoverTools, RunsTheListingProgram) {
  auto recording = std::make_shared<Recording>();
  recording->answer = printed(R"([{"name": "a"}])");
  EXPECT_EQ(names_in(discover_tools(sample_entry(), recorded(recording))), std::vector<std::string>{"a"});
  EXPECT_EQ(recording->programs.at(0).argv, std::vector<std::string>{"/bin/list"});
  recording->answer.code = 2;
  recording->answer.error = "broken";
  const DiscoveredTools failed = discover_tools(sample_entry(), recorded(recording));
  EXPECT_TRUE(failed.tools.empty());
  ASSERT_EQ(failed.issues.size(), 1u);
  EXPECT_EQ(failed.issues[0].message, "the listing program ended with exit status 2: broken");
}

}  // namespace
}  // namespace parley::orchestration::tools
