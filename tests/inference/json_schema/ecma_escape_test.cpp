#include "inference/json_schema/ecma_escape.h"

#include <gtest/gtest.h>

namespace parley::inference::json_schema {
namespace {

TEST(EcmaEscapeTest, ReadsNoFurtherThanTheEscape) {
  const auto hex = translate_escape("\\x41B", EscapeIn::pattern);
  ASSERT_TRUE(hex);
  EXPECT_EQ(hex->pcre, "\\x{41}");
  EXPECT_EQ(hex->bytes, 4U);
  EXPECT_TRUE(hex->is_single);
  const auto pair = translate_escape("\\ud83d\\ude00x", EscapeIn::pattern);
  ASSERT_TRUE(pair);
  EXPECT_EQ(pair->pcre, "\\x{1f600}");
  EXPECT_EQ(pair->bytes, 12U);
  const auto property = translate_escape("\\P{Number}}", EscapeIn::character_class);
  ASSERT_TRUE(property);
  EXPECT_EQ(property->pcre, "\\P{N}");
  EXPECT_EQ(property->bytes, 10U);
  EXPECT_FALSE(property->is_single);
}

TEST(EcmaEscapeTest, ClassesHaveOtherEscapes) {
  EXPECT_FALSE(translate_escape("\\b", EscapeIn::pattern));
  EXPECT_TRUE(translate_escape("\\b", EscapeIn::character_class));
  EXPECT_TRUE(translate_escape("\\s", EscapeIn::pattern)->pcre.starts_with('['));
  EXPECT_FALSE(translate_escape("\\s", EscapeIn::character_class)->pcre.starts_with('['));
}

TEST(EcmaEscapeTest, HostileNamesDoNotReachTheOtherLanguage) {
  for (const char* text : {"\\p{^L}", "\\p{}", "\\p{L", "\\pL", "\\p{a b}", "\\p{L\\}", "\\p{sc:Greek}"}) {
    EXPECT_FALSE(translate_escape(text, EscapeIn::pattern)) << text;
  }
}

TEST(EcmaEscapeTest, GroupNamesAreThoseOfBothLanguages) {
  EXPECT_TRUE(is_group_name("year_1"));
  for (const char* name : {"", "1a", "a-b", "a b", "\xC3\xA9", "a234567890123456789012345678901234"}) {
    EXPECT_FALSE(is_group_name(name)) << name;
  }
}

}  // namespace
}  // namespace parley::inference::json_schema
