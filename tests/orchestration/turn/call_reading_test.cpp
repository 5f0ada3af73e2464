#include "orchestration/turn/call_reading.h"

#include <gtest/gtest.h>

namespace parley::orchestration::turn {
namespace {

constexpr std::int64_t kSmall = 1'500'000'000;
constexpr std::int64_t kLarge = 7'000'000'000;

TEST(CallReading, TheTemplateTellsTheFamily) {
  EXPECT_EQ(call_reading("{{ tools }} <tool_call>").format->name, "hermes");
  EXPECT_EQ(call_reading("[TOOL_CALLS]").format->name, "mistral");
  EXPECT_EQ(call_reading("{{ messages }}").format->name, "hermes") << "the generic one";
  EXPECT_EQ(call_reading("[TOOL_CALLS]", calls::find_call_format("llama-3")).format->name, "llama-3");
}

TEST(CallReading, ReasoningIsLookedForWhereTheTemplateNamesIt) {
  EXPECT_EQ(call_reading("<tool_call>").reasoning, Reasoning::never);
  EXPECT_EQ(call_reading("<tool_call> content.split('</think>')").reasoning, Reasoning::possible);
  EXPECT_EQ(call_reading("[TOOL_CALLS] [/THINK]").reasoning, Reasoning::possible);
  EXPECT_EQ(call_reading("[TOOL_CALLS] </think>").reasoning, Reasoning::never) << "not its marker";
  EXPECT_EQ(call_reading("<|channel|><|message|>").reasoning, Reasoning::possible) << "a channel";
}

TEST(CallReading, UnlistedModelsAreTrustedBySizeAndTemplate) {
  EXPECT_EQ(usual_tool_profile("{% if tools %}", kLarge), ToolProfile::native);
  EXPECT_EQ(usual_tool_profile("{% if tools %}", 3'000'000'000), ToolProfile::native);
  EXPECT_EQ(usual_tool_profile("{% if tools %}", kSmall), ToolProfile::weak);
  EXPECT_EQ(usual_tool_profile("{% if tools %}", 0), ToolProfile::weak);
  EXPECT_EQ(usual_tool_profile("{{ messages }}", kLarge), ToolProfile::none);
  EXPECT_EQ(usual_tool_profile("", kLarge), ToolProfile::none);
}

}  // namespace
}  // namespace parley::orchestration::turn
