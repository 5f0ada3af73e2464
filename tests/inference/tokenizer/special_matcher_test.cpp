#include "inference/tokenizer/special_matcher.h"

#include <gtest/gtest.h>

#include <random>

namespace parley::inference::tokenizer {

bool operator==(const SpecialMatcher::Match& a, const SpecialMatcher::Match& b) {
  return a.begin == b.begin && a.end == b.end && a.token == b.token;
}

namespace {

using Match = SpecialMatcher::Match;
using Names = std::vector<std::pair<std::string, TokenId>>;

// The definition: at each place the longest name, then on behind it.
std::vector<Match> find_slowly(const Names& names, std::string_view text) {
  std::vector<Match> matches;
  for (std::size_t begin = 0; begin < text.size();) {
    Match best{begin, begin, 0};
    for (const auto& [name, token] : names) {
      const bool is_longer = name.size() > best.end - begin;
      if (is_longer && text.substr(begin).starts_with(name)) best = {begin, begin + name.size(), token};
    }
    if (best.end > begin) matches.push_back(best);
    begin = std::max(best.end, begin + 1);
  }
  return matches;
}

TEST(SpecialMatcher, finds_names_with_their_places) {
  const SpecialMatcher matcher({{"<a>", 1}, {"<b>", 2}});
  EXPECT_EQ(matcher.find("x<b><a> <a"), (std::vector<Match>{{1, 4, 2}, {4, 7, 1}}));
  EXPECT_TRUE(matcher.find("").empty());
}

TEST(SpecialMatcher, prefers_the_longest_that_begins_first) {
  const SpecialMatcher matcher({{"ab", 1}, {"abcd", 2}, {"bcdefgh", 3}});
  EXPECT_EQ(matcher.find("abcdefgh"), (std::vector<Match>{{0, 4, 2}}));
  EXPECT_EQ(matcher.find("abcx"), (std::vector<Match>{{0, 2, 1}}));
}

TEST(SpecialMatcher, never_finds_empty_names) {
  EXPECT_TRUE(SpecialMatcher({{"", 1}}).find("abc").empty());
  EXPECT_TRUE(SpecialMatcher({}).find("abc").empty());
}

TEST(SpecialMatcher, agrees_with_the_definition_on_random_names) {
  std::mt19937 random(19);
  const auto random_text = [&](std::size_t max_length) {
    std::string text;
    for (std::size_t length = random() % (max_length + 1); length > 0; --length) {
      text += static_cast<char>('a' + random() % 2);
    }
    return text;
  };
  for (int round = 0; round < 2000; ++round) {
    Names names;
    for (std::size_t count = random() % 5; count > 0; --count) {
      names.emplace_back(random_text(5), static_cast<TokenId>(names.size()));
    }
    const std::string text = random_text(30);
    ASSERT_EQ(SpecialMatcher(names).find(text), find_slowly(names, text)) << text;
  }
}

}  // namespace
}  // namespace parley::inference::tokenizer
