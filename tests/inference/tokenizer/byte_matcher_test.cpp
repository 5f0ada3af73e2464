#include "inference/tokenizer/byte_matcher.h"

#include <gtest/gtest.h>

#include <random>
#include <string>
#include <vector>

namespace parley::inference::tokenizer {
namespace {

using namespace std::string_literals;

ByteMatcher::State read(const ByteMatcher& matcher, std::string_view text) {
  ByteMatcher::State state = ByteMatcher::kStart;
  for (const char byte : text) state = matcher.next(state, static_cast<unsigned char>(byte));
  return state;
}

// The definitions, by trying everything.
std::string longest_beginning(const std::vector<std::string>& patterns, std::string_view text) {
  for (std::size_t length = text.size(); length > 0; --length) {
    const std::string_view suffix = text.substr(text.size() - length);
    for (const std::string& pattern : patterns) {
      if (pattern.starts_with(suffix)) return std::string(suffix);
    }
  }
  return {};
}

std::string longest_ending(const std::vector<std::string>& patterns, std::string_view text) {
  std::string longest;
  for (const std::string& pattern : patterns) {
    if (pattern.size() > longest.size() && text.ends_with(pattern)) longest = pattern;
  }
  return longest;
}

TEST(ByteMatcher, without_patterns_stays_at_the_start) {
  const ByteMatcher matcher({});
  EXPECT_EQ(read(matcher, "abc"), ByteMatcher::kStart);
  EXPECT_EQ(matcher.longest_match(ByteMatcher::kStart), ByteMatcher::kNoPattern);
  EXPECT_EQ(matcher.suffix(ByteMatcher::kStart), "");
}

TEST(ByteMatcher, ignores_empty_patterns) {
  const ByteMatcher matcher({"", "ab", ""});
  EXPECT_EQ(matcher.longest_match(ByteMatcher::kStart), ByteMatcher::kNoPattern);
  EXPECT_EQ(matcher.longest_match(read(matcher, "xab")), 1);
}

TEST(ByteMatcher, of_equal_patterns_the_first_counts) {
  const ByteMatcher matcher({"x", "ab", "ab"});
  EXPECT_EQ(matcher.longest_match(read(matcher, "ab")), 1);
}

TEST(ByteMatcher, sees_a_pattern_inside_a_longer_one) {
  const ByteMatcher matcher({"abcd", "bc"});
  const auto state = read(matcher, "abc");
  EXPECT_EQ(matcher.longest_match(state), 1);
  EXPECT_EQ(matcher.suffix(state), "abc");
}

TEST(ByteMatcher, takes_any_bytes) {
  const ByteMatcher matcher({"\0\xFF"s, "\xFF\0\x80"s});
  EXPECT_EQ(matcher.longest_match(read(matcher, "a\0\xFF"s)), 0);
  EXPECT_EQ(matcher.longest_match(read(matcher, "\0\xFF\0\x80"s)), 1);
}

TEST(ByteMatcher, agrees_with_the_definition_on_random_patterns) {
  std::mt19937 random(7);
  const auto random_text = [&](std::size_t max_length) {
    std::string text;
    for (std::size_t length = random() % (max_length + 1); length > 0; --length) {
      text += static_cast<char>('a' + random() % 2);
    }
    return text;
  };
  for (int round = 0; round < 400; ++round) {
    std::vector<std::string> patterns;
    for (std::size_t count = random() % 6; count > 0; --count) patterns.push_back(random_text(7));
    const ByteMatcher matcher(patterns);
    const std::string text = random_text(40);
    for (std::size_t length = 0; length <= text.size(); ++length) {
      const std::string_view seen = std::string_view(text).substr(0, length);
      const auto state = read(matcher, seen);
      ASSERT_EQ(matcher.suffix(state), longest_beginning(patterns, seen));
      const int match = matcher.longest_match(state);
      ASSERT_EQ(match == ByteMatcher::kNoPattern ? "" : matcher.pattern(match),
                longest_ending(patterns, seen));
    }
  }
}

}  // namespace
}  // namespace parley::inference::tokenizer
