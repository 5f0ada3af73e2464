#include "orchestration/tools/tool_name.h"

#include <gtest/gtest.h>

namespace parley::orchestration::tools {
namespace {

TEST(ToolName, KnowsWhatModelsCanCall) {
  for (const char* name : {"a", "get_weather", "A-9_z"}) EXPECT_TRUE(is_tool_name(name)) << name;
  EXPECT_TRUE(is_tool_name(std::string(64, 'x')));
  for (const char* name : {"", "a.b", "a b", "a/b", "\xC3\xA9", "a\n", "a{b}"})
    EXPECT_FALSE(is_tool_name(name)) << name;
  EXPECT_FALSE(is_tool_name(std::string(65, 'x')));
  EXPECT_FALSE(is_tool_name(std::string("a\0b", 3)));
}

TEST(ToolName, MapsEveryOddByteAndIsAlwaysCallable) {
  EXPECT_EQ(mapped_name("math.factorial"), "math_factorial");
  EXPECT_EQ(mapped_name("files", "read/file"), "files_read_file");
  EXPECT_EQ(mapped_name("\xC3\xA9t\xC3\xA9"), "__t__");
  for (int byte = 0; byte < 256; ++byte) {
    const std::string name(1, static_cast<char>(byte));
    EXPECT_TRUE(is_tool_name(mapped_name(name))) << byte;
  }
}

TEST(ToolName, LongNamesStayApart) {
  const std::string base(80, 'x');
  const std::string one = mapped_name(base + "1");
  EXPECT_TRUE(is_tool_name(one));
  EXPECT_EQ(one.size(), 64u);
  EXPECT_NE(one, mapped_name(base + "2"));
  EXPECT_EQ(one, mapped_name(base + "1"));
}

}  // namespace
}  // namespace parley::orchestration::tools
