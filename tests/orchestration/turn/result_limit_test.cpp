// How much of what tools give a model is given.
#include "orchestration/turn/result_limit.h"

#include <gtest/gtest.h>

namespace parley::orchestration::turn {
namespace {

ResultLimit limit_of(std::size_t tokens, std::string where_rest = {}) {
  ResultLimit limit;
  limit.tokens = tokens;
  limit.count = [](std::string_view text) { return text.size() / 2; };
  limit.where_rest = std::move(where_rest);
  return limit;
}

TEST(ResultTokens, AreWhatTheFileAllowsWhereTheContextIsLarge) {
  tools::ToolLimits limits;
  EXPECT_EQ(result_tokens(limits, 131'072, 1), 2000u);
  EXPECT_EQ(result_tokens(limits, 131'072, 8), 2000u);
  EXPECT_EQ(result_tokens(limits, 0, 4), 2000u) << "a model that does not say how long its context is";
  limits.result_tokens = 100;
  EXPECT_EQ(result_tokens(limits, 4096, 1), 100u);
}

TEST(ResultTokens, OfARoundTakeAnEighthOfTheContextTogether) {
  const tools::ToolLimits limits;
  EXPECT_EQ(result_tokens(limits, 4096, 1), 512u);
  EXPECT_EQ(result_tokens(limits, 4096, 0), 512u);
  EXPECT_EQ(result_tokens(limits, 4096, 4), 128u);
  EXPECT_EQ(result_tokens(limits, 32'768, 4), 1024u);
}

TEST(ResultTokens, AreNeverSoFewThatNothingIsSaid) {
  tools::ToolLimits limits;
  EXPECT_EQ(result_tokens(limits, 4096, 100), kLeastResultTokens);
  EXPECT_EQ(result_tokens(limits, 64, 1), kLeastResultTokens);
  limits.result_tokens = 16;  // of the file: it is the operator's will
  EXPECT_EQ(result_tokens(limits, 4096, 100), 16u);
}

TEST(ShortenedResult, LeavesAloneWhatFits) {
  const std::string text(200, 'x');
  EXPECT_TRUE(fits(text, limit_of(100)));
  EXPECT_EQ(shortened_result(text, limit_of(100, "(More.)")), text);
  EXPECT_FALSE(fits(text, limit_of(99)));
}

TEST(ShortenedResult, KeepsHeadAndTailAndSaysWhereTheRestIs) {
  const std::string text = "first" + std::string(10'000, '.') + "last";
  const std::string part = shortened_result(text, limit_of(200, where_rest_of("42")));
  EXPECT_TRUE(part.starts_with("first...")) << part;
  EXPECT_TRUE(part.ends_with("...last\n(read_tool_output with id \"42\" reads the whole text.)")) << part;
  EXPECT_LE(part.size(), 400u + 1 + where_rest_of("42").size());
  EXPECT_GE(part.size(), 300u);
}

TEST(ShortenedResult, MayBeShortenedAgain) {
  const std::string text = "first" + std::string(10'000, '.') + "last";
  const std::string once = shortened_result(text, limit_of(1'000, where_rest_of("42")));
  const std::string twice = shortened_result(once, limit_of(200, where_rest_of("42")));
  EXPECT_TRUE(twice.starts_with("first..."));
  EXPECT_TRUE(twice.ends_with("...last\n" + where_rest_of("42"))) << "said once: " << twice;
  EXPECT_EQ(twice.find("(read_tool_output"), twice.rfind("(read_tool_output"));
  EXPECT_LE(twice.size(), 400u + 1 + where_rest_of("42").size());
  EXPECT_EQ(shortened_result(once, limit_of(1'000, where_rest_of("42"))), once);
  const std::size_t mark = twice.find(" bytes cut ");
  const std::size_t shown = twice.size() - where_rest_of("42").size() - 1;
  const std::size_t number = twice.rfind(' ', mark - 1) + 1;
  const std::size_t told = std::stoul(twice.substr(number, mark - number));
  EXPECT_LT(told, text.size());
  EXPECT_GT(told + shown, text.size()) << "the first cut counts too: " << twice;
}

}  // namespace
}  // namespace parley::orchestration::turn
