#include "inference/json/json_comments.h"

#include <gtest/gtest.h>

namespace parley::inference::json {
namespace {

TEST(BlankComments, KeepsStringsAndPlaces) {
  EXPECT_EQ(blank_comments("{\"a\": \"//x\"} // y\n1"), "{\"a\": \"//x\"}     \n1");
  EXPECT_EQ(blank_comments("/* a\nb */1"), "    \n    1");
  EXPECT_EQ(blank_comments("\"\\\"/*\" /"), "\"\\\"/*\" /");
}

TEST(BlankTrailingCommas, BlanksOnlyTheLastCommaOfAList) {
  EXPECT_EQ(blank_trailing_commas("[1,2,]"), "[1,2 ]");
  EXPECT_EQ(blank_trailing_commas("{\"a\":[1, \n],\t}"), "{\"a\":[1  \n] \t}");
  EXPECT_EQ(blank_trailing_commas("[1,,]"), "[1, ]");
}

TEST(BlankTrailingCommas, LeavesStringsAlone) {
  for (const char* text : {"\",]\"", "\"\\\",]\"", "[\"a,\"]", "\"unclosed,]", "\"\\", ","}) {
    EXPECT_EQ(blank_trailing_commas(text), text);
  }
}

}  // namespace
}  // namespace parley::inference::json
