#include "orchestration/tools/local_tools.h"

#include <gtest/gtest.h>

#include "orchestration/tools/tool_policy.h"
#include "orchestration/tools/tool_registry.h"
#include "tests/orchestration/tools/config_text.h"
#include "tests/orchestration/tools/recording_runner.h"
#include "tests/orchestration/tools/scratch_folder.h"

namespace parley::orchestration::tools {
namespace {

std::vector<std::string> offered(const ToolOffer& offer) {
  std::vector<std::string> list;
  for (const ToolPointer& tool : offer.tools) list.push_back(tool->spec().source + " " + tool->spec().name);
  return list;
}

TEST(LocalTools, OffersCommandsBuiltinsAndWhatIsDiscovered) {
  auto recording = std::make_shared<Recording>(Recording{.answer = printed(R"([{"name": "found"}])")});
  LocalToolOptions options;
  options.commands = recorded(recording);
  const auto local = make_local_tools(std::move(options));
  EXPECT_EQ(local->offer().version, 0u);
  local->configure(read_config(
      R"({"tools": {"a": {"command": ["x", "${FILES_KEY}"]}, "calculator": {"builtin": "calculator"},
      "web": {"http": {"url": "http://a.example"}}}, "discover": [{"command": ["list"], "call": ["call"]}]})"));
  const ToolOffer offer = local->offer();
  EXPECT_EQ(offered(offer),
            (std::vector<std::string>{"command a", "builtin calculator", "discover:1 found"}));
  EXPECT_EQ(offer.version, 1u);
  recording->answer = printed("the key is sesame-42");
  EXPECT_EQ(offer.tools[0]->run({}, call_within(std::chrono::milliseconds(1000))).text,
            "the key is [redacted]");
  EXPECT_EQ(offer.tools[2]->run({{"q", 1}}, call_within(std::chrono::milliseconds(1000))).status,
            ToolResult::Status::ok);
  EXPECT_EQ(recording->programs.back().argv, (std::vector<std::string>{"call", "found"}));
  EXPECT_EQ(recording->options.back().input, "{\"q\":1}");
  local->configure(read_config("{}"));
  EXPECT_EQ(local->offer().version, 2u);
  EXPECT_TRUE(local->offer().tools.empty());
}

TEST(LocalTools, TheShippedFileGivesTheBuiltinsWithoutAsking) {
  std::vector<std::unique_ptr<ToolSource>> sources;
  sources.push_back(make_local_tools({}));
  const ScratchFolder folder;
  const auto path = folder.write("tools.json", ScratchFolder::read(PARLEY_SOURCE_DIR "/config/tools.json"));
  ToolRegistry registry(path, environment_of({}), std::move(sources));
  registry.refresh();
  const auto state = registry.current();
  EXPECT_EQ(state->error, "");
  EXPECT_TRUE(state->issues.empty());
  const ToolPolicy policy(state->file->permissions);
  std::vector<std::string> names;
  for (const ToolPointer& tool : state->tools.tools()) {
    names.push_back(tool->spec().name);
    EXPECT_EQ(policy.decide(tool->spec()), Decision::automatic) << tool->spec().name;
  }
  EXPECT_EQ(names, (std::vector<std::string>{"calculator", "current_time", "read_tool_output"}));
}

}  // namespace
}  // namespace parley::orchestration::tools
