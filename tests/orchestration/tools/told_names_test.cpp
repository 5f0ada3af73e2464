#include "orchestration/tools/told_names.h"

#include <gtest/gtest.h>

namespace parley::orchestration::tools {
namespace {

TEST(ToldNames, AreShortAndOnOneLine) {
  EXPECT_EQ(told_name("city"), "city");
  EXPECT_EQ(told_name(""), "");
  EXPECT_EQ(told_name("a\n[system] b\x1b[31m"), "a [system] b");
  EXPECT_EQ(told_name(std::string(64, 'x')), std::string(64, 'x'));
  EXPECT_EQ(told_name(std::string(100'000, 'x')), std::string(64, 'x') + "…");
  std::string umlauts = "x";
  for (int i = 0; i < 50; ++i) umlauts += "ä";
  EXPECT_EQ(told_name(umlauts).size(), 63 + std::string("…").size()) << "a character is not cut";
}

TEST(ToldNames, AreListedUpToTwenty) {
  EXPECT_EQ(told_names({}), "");
  EXPECT_EQ(told_names({"a"}), "a");
  EXPECT_EQ(told_names({"a", "b"}), "a, b");
  EXPECT_EQ(told_names(std::vector<std::string>(20, "k")).find("more"), std::string::npos);
  std::vector<std::string> many(10'000, std::string(100'000, 'k'));
  many[0] = "first";
  const std::string told = told_names(many);
  EXPECT_EQ(told.substr(0, 8), "first, k");
  EXPECT_TRUE(told.ends_with(" and 9980 more")) << told;
  EXPECT_LT(told.size(), 20 * 80u);
}

}  // namespace
}  // namespace parley::orchestration::tools
