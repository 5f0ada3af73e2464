#include "inference/json_schema/pattern.h"

#include <gtest/gtest.h>

#include <chrono>
#include <string>
#include <utility>

namespace parley::inference::json_schema {
namespace {

constexpr std::size_t kSteps = 1'000'000;

bool matches(std::string_view pattern, std::string_view text) {
  auto compiled = Pattern::compile(pattern);
  if (const auto* why = std::get_if<std::string>(&compiled)) {
    ADD_FAILURE() << pattern << " was refused: " << *why;
    return false;
  }
  Budget budget(kSteps);
  const bool found = std::get<Pattern>(compiled).is_in(text, budget);
  EXPECT_FALSE(budget.exhausted()) << pattern << " gave up";
  return found;
}

TEST(PatternTest, SearchesAnywhere) {
  EXPECT_TRUE(matches("b", "abc"));
  EXPECT_FALSE(matches("^b", "abc"));
  EXPECT_TRUE(matches("", ""));
  EXPECT_TRUE(matches("^$", ""));
}

TEST(PatternTest, WhatPeopleWriteWorks) {
  EXPECT_TRUE(
      matches(R"(^[a-zA-Z0-9._%+-]+@[a-zA-Z0-9.-]+\.[a-zA-Z]{2,}$)", "some.body+tag@mail.example.org"));
  EXPECT_TRUE(matches(R"(^\d{4}-\d{2}-\d{2}$)", "2024-05-31"));
  EXPECT_TRUE(matches(R"(^(?:https?|ftp):\/\/[^\s/$.?#].[^\s]*$)", "https://example.org/a?b"));
  EXPECT_TRUE(matches(R"(^\+?[1-9]\d{1,14}$)", "+41791234567"));
  EXPECT_TRUE(matches(R"(^#(?:[0-9a-fA-F]{3}){1,2}$)", "#a0B1c2"));
  EXPECT_TRUE(matches(R"(^(?=.*\d)(?=.*[a-z]).{8,}$)", "abcdefg1"));
  EXPECT_FALSE(matches(R"(^(?=.*\d)(?=.*[a-z]).{8,}$)", "abcdefgh"));
}

// Bounded by the budget, whatever the pattern (a class at the end, since PCRE2 looks for a plain character
// first); about a second at most even under sanitizers.
TEST(PatternTest, HostilePatternsAreGivenUp) {
  const std::string as(50'000, 'a');
  const std::pair<const char*, std::string> hostile[] = {
      {"^(a+)+$", std::string(40, 'a') + "!"},
      {"^(a|a)*$", std::string(60, 'a') + "!"},
      {"(a*)*[bc]", std::string(60, 'a')},
      {"(.*)(.*)(.*)(.*)(.*)(.*)[xy]", std::string(500, 'a')},
      {"^(([a-z])+.)+[A-Z]([a-z])+$", std::string(60, 'a')},
      {R"(^(a*)\1*\1*[bc])", as},
      {R"((a+)\1{2}[bc])", as},
      {"(?:a{1000}){40}[bc]", as},
      {"a*a*a*a*[bc]", as},
  };
  for (const auto& [pattern, text] : hostile) {
    auto compiled = Pattern::compile(pattern);
    if (std::holds_alternative<std::string>(compiled)) continue;
    Budget budget(kSteps);
    const auto begin = std::chrono::steady_clock::now();
    EXPECT_FALSE(std::get<Pattern>(compiled).is_in(text, budget)) << pattern;
    EXPECT_LT(std::chrono::steady_clock::now() - begin, std::chrono::seconds(20)) << pattern;
    EXPECT_TRUE(budget.exhausted()) << pattern;
  }
}

TEST(PatternTest, LongTextIsFineForPlainPatterns) {
  const std::string text(200'000, 'a');
  EXPECT_TRUE(matches("^[a-z]*$", text));
  EXPECT_FALSE(matches("b", text));
  EXPECT_TRUE(matches("[^b]$", text));
}

TEST(PatternTest, SpendsWhatTheSearchCosts) {
  auto compiled = Pattern::compile("^[a-z]+$");
  Budget small(1000);
  EXPECT_TRUE(std::get<Pattern>(compiled).is_in(std::string(640, 'a'), small));
  EXPECT_LT(small.steps(), 1000U);
  EXPECT_GT(small.steps(), 900U);
  Budget none(2);
  EXPECT_FALSE(std::get<Pattern>(compiled).is_in(std::string(6400, 'a'), none));
  EXPECT_TRUE(none.exhausted());
}

TEST(PatternTest, OddTextIsNoError) {
  EXPECT_FALSE(matches("^a$", "a\n"));
  EXPECT_TRUE(matches("^a\\u0000b$", std::string_view("a\0b", 3)));
  EXPECT_FALSE(matches("x", "\xFF\xFE\xC3"));  // not UTF-8
  EXPECT_TRUE(matches("^\\ud83d\\ude00{2}$", "\xF0\x9F\x98\x80\xF0\x9F\x98\x80"));
}

TEST(PatternTest, PatternsAreBounded) {
  EXPECT_EQ(std::get<std::string>(Pattern::compile(std::string(5000, 'a'))), "it is longer than 4096 bytes");
  const std::string nested = std::string(2000, '(') + std::string(2000, ')');
  EXPECT_TRUE(std::holds_alternative<std::string>(Pattern::compile(nested)));
  EXPECT_TRUE(std::holds_alternative<std::string>(Pattern::compile("((a{1,1000}){1,1000}){1,1000}")));
}

}  // namespace
}  // namespace parley::inference::json_schema
