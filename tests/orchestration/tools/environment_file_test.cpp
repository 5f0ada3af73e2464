#include "orchestration/tools/environment_file.h"

#include <gtest/gtest.h>

namespace parley::orchestration::tools {
namespace {

TEST(EnvironmentFileTest, ReadsLinesAsPeopleWriteThem) {
  const EnvironmentFile file = parse_environment_file(
      "# keys\n\nA=1\r\n export B = two words # not this\nC='it # "
      "stays'\nD=\"a\\n\\\"b\\\"\"\nE=\nA=2\nF=x=y#z");
  EXPECT_EQ(file.bad_line, 0u);
  EXPECT_EQ(file.values, (std::map<std::string, std::string>{{"A", "2"},
                                                             {"B", "two words"},
                                                             {"C", "it # stays"},
                                                             {"D", "a\n\"b\""},
                                                             {"E", ""},
                                                             {"F", "x=y#z"}}));
}

TEST(EnvironmentFileTest, CountsTheFirstLineThatIsNone) {
  EXPECT_EQ(parse_environment_file("A=1\nwhat\n=3").bad_line, 2u);
  EXPECT_EQ(parse_environment_file("A='open").bad_line, 1u);
  EXPECT_EQ(parse_environment_file("1A=x").bad_line, 1u);
  EXPECT_EQ(parse_environment_file("").bad_line, 0u);
}

}  // namespace
}  // namespace parley::orchestration::tools
