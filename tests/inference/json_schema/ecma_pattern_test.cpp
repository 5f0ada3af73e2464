#include "inference/json_schema/ecma_pattern.h"

#include <gtest/gtest.h>

#include <string>

#include "inference/json_schema/pattern.h"

namespace parley::inference::json_schema {
namespace {

bool holds(std::string_view pattern, std::string_view text) {
  auto compiled = Pattern::compile(pattern);
  if (const auto* why = std::get_if<std::string>(&compiled)) {
    ADD_FAILURE() << pattern << " was refused: " << *why;
    return false;
  }
  Budget budget(100'000);
  return std::get<Pattern>(compiled).is_in(text, budget);
}

std::string why_not(std::string_view pattern) {
  auto compiled = Pattern::compile(pattern);
  if (auto* why = std::get_if<std::string>(&compiled)) return *why;
  ADD_FAILURE() << pattern << " was not refused";
  return {};
}

constexpr std::string_view kNoBreakSpace = "\xC2\xA0";
constexpr std::string_view kLineSeparator = "\xE2\x80\xA8";
constexpr std::string_view kArabicDigit = "\xD9\xA3";
constexpr std::string_view kE = "\xC3\xA9";

TEST(EcmaPatternTest, ClassesAreAsciiButForSpaces) {
  EXPECT_FALSE(holds("\\d", kArabicDigit));
  EXPECT_TRUE(holds("^\\D$", kArabicDigit));
  EXPECT_FALSE(holds("\\w", kE));
  EXPECT_TRUE(holds("^\\W$", kE));
  for (const std::string_view space : {kNoBreakSpace, kLineSeparator, std::string_view("\xEF\xBB\xBF"),
                                       std::string_view(" "), std::string_view("\v")}) {
    EXPECT_TRUE(holds("^\\s$", space));
    EXPECT_TRUE(holds("^[\\s]$", space));
    EXPECT_FALSE(holds("\\S", space));
    EXPECT_FALSE(holds("[\\S]", space));
    EXPECT_TRUE(holds("^[^\\S]$", space));
  }
  EXPECT_TRUE(holds("^\\S$", kE));
}

// \s and \S are opposites for every character.
TEST(EcmaPatternTest, SpacesAndOthersShareAllCharacters) {
  auto space = Pattern::compile("^\\s$");
  auto other = Pattern::compile("^[\\S]$");
  for (std::uint32_t c = 0; c < 0x11000; c = c < 0x3100 ? c + 1 : c + 7) {
    if (c >= 0xD800 && c < 0xE000) continue;
    std::string text;
    if (c < 0x80) {
      text = {static_cast<char>(c)};
    } else if (c < 0x800) {
      text = {static_cast<char>(0xC0 | c >> 6), static_cast<char>(0x80 | (c & 63))};
    } else if (c < 0x10000) {
      text = {static_cast<char>(0xE0 | c >> 12), static_cast<char>(0x80 | (c >> 6 & 63)),
              static_cast<char>(0x80 | (c & 63))};
    } else {
      text = {static_cast<char>(0xF0 | c >> 18), static_cast<char>(0x80 | (c >> 12 & 63)),
              static_cast<char>(0x80 | (c >> 6 & 63)), static_cast<char>(0x80 | (c & 63))};
    }
    Budget budget(1000);
    ASSERT_NE(std::get<Pattern>(space).is_in(text, budget), std::get<Pattern>(other).is_in(text, budget))
        << c;
  }
}

TEST(EcmaPatternTest, DotAndDollarKnowTheLineEnds) {
  for (const std::string_view end : {std::string_view("\n"), std::string_view("\r"), kLineSeparator}) {
    EXPECT_FALSE(holds(".", end));
  }
  EXPECT_TRUE(holds("^.$", "\v"));
  EXPECT_TRUE(holds("^.$", kE));
  EXPECT_FALSE(holds("a$", "a\n"));
  EXPECT_FALSE(holds("^b", "a\nb"));
}

TEST(EcmaPatternTest, EscapesMeanWhatTheyMeanThere) {
  EXPECT_TRUE(holds("^\\cJ\\ci$", "\n\t"));
  EXPECT_TRUE(holds("^\\x41\\u0042\\u{43}$", "ABC"));
  EXPECT_TRUE(holds("^[\\b]$", "\b"));
  EXPECT_TRUE(holds("a\\b", "a"));
  EXPECT_TRUE(holds("^\\-\\@\\/\\_\\'$", "-@/_'"));
  EXPECT_TRUE(holds("^\\0$", std::string_view("\0", 1)));
  EXPECT_TRUE(holds("^[\\u{1F600}-\\u{1F64F}]$", "\xF0\x9F\x98\x80"));
}

TEST(EcmaPatternTest, PropertiesHaveTheirLongNames) {
  EXPECT_TRUE(holds("^\\p{Letter}$", kE));
  EXPECT_TRUE(holds("^\\p{L}$", kE));
  EXPECT_TRUE(holds("^\\p{Lowercase_Letter}$", kE));
  EXPECT_TRUE(holds("^\\p{gc=Ll}\\p{General_Category=Uppercase_Letter}$", "aB"));
  EXPECT_TRUE(holds("^\\p{digit}+$", kArabicDigit));
  EXPECT_TRUE(holds("^\\P{Letter}[^\\p{L}]$", "12"));
  EXPECT_TRUE(holds("^\\p{Script=Greek}\\p{sc=Greek}$", "\xCE\xB1\xCE\xB2"));
  EXPECT_FALSE(holds("\\p{Script=Greek}", "a"));
  EXPECT_TRUE(holds("^\\p{Alphabetic}$", "a"));
}

TEST(EcmaPatternTest, ClassesAreReadLiterally) {
  EXPECT_FALSE(holds("[]", "a"));
  EXPECT_TRUE(holds("^[^]$", "\n"));
  EXPECT_TRUE(holds("^[[:alpha:]]$", ":]"));
  EXPECT_TRUE(holds("^[\\w-.]+$", "a-."));
  EXPECT_TRUE(holds("^[\\s-x]+$", " -x"));
  EXPECT_FALSE(holds("[\\s-x]", "a"));
  EXPECT_TRUE(holds("^[a\\-z]+$", "a-z"));
  EXPECT_FALSE(holds("[a\\-z]", "b"));
  EXPECT_TRUE(holds("^[-a]+$", "-a"));
  EXPECT_TRUE(holds("^[a-]+$", "a-"));
  EXPECT_TRUE(holds("^[a^]+$", "^a"));
  EXPECT_TRUE(holds("^[\xC3\xA0-\xC3\xBF]+$", kE));
  EXPECT_TRUE(holds("^[&&a]+$", "&a"));
}

TEST(EcmaPatternTest, BracesThatRepeatNothingMeanThemselves) {
  EXPECT_TRUE(holds("^a{$", "a{"));
  EXPECT_TRUE(holds("^{a}$", "{a}"));
  EXPECT_TRUE(holds("^a{,2}$", "a{,2}"));
  EXPECT_TRUE(holds("^a{2}b{1,}c{0,1}?$", "aabb"));
  EXPECT_TRUE(holds("^]}$", "]}"));
}

TEST(EcmaPatternTest, GroupsAndReferences) {
  EXPECT_TRUE(holds("^(?<year>\\d)\\k<year>$", "11"));
  EXPECT_TRUE(holds("^(a)\\1$", "aa"));
  EXPECT_TRUE(holds("^(?:(a)|b)\\1$", "b"));  // a group that took no part matches nothing, everywhere
  EXPECT_TRUE(holds("(?<=a)b(?!c)(?=d)", "abd"));
  EXPECT_TRUE(holds("^(?<!x)a", "a"));
}

TEST(EcmaPatternTest, WhatOnlyTheOtherLanguageHasIsRefused) {
  for (const char* pattern :
       {"\\Aa",    "a\\Z",        "a\\z",  "\\Qa\\E",       "\\h",     "\\R",      "\\K",     "\\G",
        "\\a",     "\\e",         "\\X",   "\\N",           "\\C",     "(?i)a",    "(?>a)",   "(?#a)",
        "(?R)",    "(?1)",        "(?|a)", "(?P<n>a)",      "(?'n'a)", "(*UTF)a",  "(*FAIL)", "a++",
        "a*+",     "a?+",         "a{2}+", "\\1x(",         "\\2",     "\\08",     "\\x4",    "\\u12",
        "\\ud800", "\\u{110000}", "\\c1",  "\\p{Nonsense}", "\\p",     "\\k<n>",   "\\",      "[a",
        "a)",      "(a",          "*a",    "a**",           "^*",      "(?<1a>b)", "(?<>b)",  "[z-a]"}) {
    EXPECT_FALSE(why_not(pattern).empty());
  }
  EXPECT_EQ(why_not("ab**"), "nothing to repeat at character 4");
}

TEST(EcmaPatternTest, CostlyPartsAreKnown) {
  EXPECT_EQ(std::get<EcmaTranslation>(to_pcre("a{3}b{2,70}c{5,}")).traits.largest_repeat, 70U);
  EXPECT_FALSE(std::get<EcmaTranslation>(to_pcre("(a)")).traits.refers_back);
  EXPECT_TRUE(std::get<EcmaTranslation>(to_pcre("(a)\\1")).traits.refers_back);
  EXPECT_TRUE(std::get<EcmaTranslation>(to_pcre("(?<n>a)\\k<n>")).traits.refers_back);
}

}  // namespace
}  // namespace parley::inference::json_schema
