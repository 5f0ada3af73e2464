#include "orchestration/tools/tool_set.h"

#include <gtest/gtest.h>

#include "tests/orchestration/tools/fake_tool.h"

namespace parley::orchestration::tools {
namespace {

std::vector<std::string> names_of(const ToolSet& set) {
  std::vector<std::string> names;
  for (const ToolPointer& tool : set.tools()) names.push_back(tool->spec().name);
  return names;
}

TEST(ToolSetTest, IsOrderedByNameWhateverTheOrderItCameIn) {
  const ToolSet set({fake_tool("b"), fake_tool("c"), fake_tool("a")});
  EXPECT_EQ(names_of(set), (std::vector<std::string>{"a", "b", "c"}));
  EXPECT_EQ(set.find("b")->spec().name, "b");
  EXPECT_EQ(set.find("d"), nullptr);
  EXPECT_TRUE(set.skipped().empty());
}

TEST(ToolSetTest, OfTwoWithOneNameTheFirstStays) {
  const ToolSet set({fake_tool("a", "command"), fake_tool("a", "mcp:files")});
  EXPECT_EQ(set.find("a")->spec().source, "command");
  ASSERT_EQ(set.skipped().size(), 1u);
  EXPECT_EQ(
      set.skipped()[0],
      "\"a\" from mcp:files is left out: there is one of that name from command already; rename one of them");
}

TEST(ToolSetTest, NamesThatCannotBeCalledAreLeftOut) {
  const ToolSet set(
      {fake_tool(""), fake_tool("a\x1b[31m"), fake_tool(std::string(65, 'x')), fake_tool("ok")});
  EXPECT_EQ(names_of(set), std::vector<std::string>{"ok"});
  ASSERT_EQ(set.skipped().size(), 3u);
  for (const std::string& sentence : set.skipped()) EXPECT_EQ(sentence.find('\x1b'), std::string::npos);
}

TEST(ToolSetTest, KnowsTheNearestName) {
  const ToolSet set({fake_tool("get_weather"), fake_tool("calculator")});
  EXPECT_EQ(set.nearest("get_wether"), "get_weather");
  EXPECT_EQ(set.nearest("zzz"), "");
}

}  // namespace
}  // namespace parley::orchestration::tools
