#include "orchestration/turn/utf8.h"

#include <gtest/gtest.h>

#include <string>
#include <string_view>

namespace parley::orchestration::turn {
namespace {

TEST(Utf8, KnowsWhatIsValid) {
  for (const char* good : {"", "a", "\xC3\xA4", "\xE2\x82\xAC", "\xF0\x9F\x98\x80", "\xED\x9F\xBF",
                           "\xEE\x80\x80", "\xF4\x8F\xBF\xBF", "\x7f"}) {
    EXPECT_TRUE(is_valid_utf8(good)) << good;
  }
  for (const char* bad :
       {"\x80", "\xC3", "\xC0\x80", "\xC1\xBF", "\xE0\x9F\xBF", "\xED\xA0\x80", "\xF0\x8F\xBF\xBF",
        "\xF4\x90\x80\x80", "\xF5\x80\x80\x80", "\xFF", "a\xE2\x82", "\xE2\x28\xA1"}) {
    EXPECT_FALSE(is_valid_utf8(bad)) << bad;
  }
  EXPECT_TRUE(is_valid_utf8(std::string_view("\0", 1)));
}

TEST(Utf8, KnowsWhereCharactersBegin) {
  const std::string text = "a\xC3\xA4";
  EXPECT_TRUE(is_character_border(text, 0));
  EXPECT_TRUE(is_character_border(text, 1));
  EXPECT_FALSE(is_character_border(text, 2));
  EXPECT_TRUE(is_character_border(text, 3));
  EXPECT_FALSE(is_character_border(text, 4));
}

TEST(Utf8, ReadsTheCharacterAtAnOffset) {
  const std::string text = "a\xF0\x9F\x98\x80\xC3";
  EXPECT_EQ(character_at(text, 0)->code, U'a');
  EXPECT_EQ(character_at(text, 1)->code, 0x1f600u);
  EXPECT_EQ(character_at(text, 1)->bytes, 4u);
  EXPECT_FALSE(character_at(text, 2));  // inside
  EXPECT_FALSE(character_at(text, 5));  // unfinished
}

}  // namespace
}  // namespace parley::orchestration::turn
