#include "inference/json_schema/violation.h"

#include <gtest/gtest.h>

namespace parley::inference::json_schema {
namespace {

TEST(ViolationTest, PlacesReadAsPeopleWriteThem) {
  EXPECT_EQ(readable_place(""), "");
  EXPECT_EQ(readable_place("/city"), "city");
  EXPECT_EQ(readable_place("/items/0/name"), "items[0].name");
  EXPECT_EQ(readable_place("/3/1"), "[3][1]");
  EXPECT_EQ(readable_place("/a~1b/c~0d"), "a/b.c~d");
}

TEST(ViolationTest, LongPlacesAreCutBetweenCharacters) {
  std::string pointer;
  for (int i = 0; i < 200; ++i) pointer += "/\xC3\xA9";
  const std::string place = readable_place(pointer);
  EXPECT_LT(place.size(), 140U);
  EXPECT_NE(place.find("\xE2\x80\xA6"), std::string::npos);
  EXPECT_TRUE(place.starts_with("\xC3\xA9.\xC3\xA9"));
  EXPECT_TRUE(place.ends_with("\xC3\xA9.\xC3\xA9"));
}

TEST(ViolationTest, TheWholeValueNeedsNoPlace) {
  EXPECT_EQ(to_text(Violation{.place = "", .keyword = "type", .sentence = "3 is not a string"}),
            "3 is not a string");
  EXPECT_EQ(to_text(Violation{.place = "/a", .keyword = "required", .sentence = "is required"}),
            "`a`: is required");
  EXPECT_EQ(to_text(SchemaError{.place = "/items", .message = "Bad."}), "at `items`: Bad.");
  EXPECT_EQ(to_text(SchemaError{.place = "", .message = "Bad."}), "Bad.");
}

}  // namespace
}  // namespace parley::inference::json_schema
