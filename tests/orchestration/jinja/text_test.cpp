#include "orchestration/jinja/text.h"

#include <gtest/gtest.h>

#include <string>
#include <utility>
#include <vector>

namespace parley::orchestration::jinja {
namespace {

using Runs = std::vector<std::pair<std::string, Origin>>;

Runs runs_of(const Text& text) {
  Runs runs;
  text.for_each_run([&runs](std::string_view bytes, Origin origin) { runs.emplace_back(bytes, origin); });
  return runs;
}

Text built(const Runs& runs) {
  TextBuilder builder;
  for (const auto& [bytes, origin] : runs) builder.append(bytes, origin);
  return builder.take();
}

TEST(Text, IsEmptyByDefault) {
  const Text text;
  EXPECT_TRUE(text.empty());
  EXPECT_EQ(text.view(), "");
  EXPECT_TRUE(runs_of(text).empty());
  EXPECT_EQ(text.substring(0, 0).size(), 0u);
}

TEST(Text, KnowsTheOriginOfItsBytes) {
  const Text text("hello", 4);
  EXPECT_EQ(text.view(), "hello");
  EXPECT_EQ(runs_of(text), (Runs{{"hello", 4}}));
}

TEST(Text, SubstringsKeepOriginsAtTheirEdges) {
  const Text text = built({{"abc", 1}, {"def", 2}, {"ghi", 3}});
  EXPECT_EQ(text.view(), "abcdefghi");
  EXPECT_EQ(runs_of(text.substring(2, 7)), (Runs{{"c", 1}, {"def", 2}, {"g", 3}}));
  EXPECT_EQ(runs_of(text.substring(3, 6)), (Runs{{"def", 2}}));
  EXPECT_EQ(runs_of(text.substring(2, 7).substring(1, 4)), (Runs{{"def", 2}}));
  EXPECT_TRUE(runs_of(text.substring(5, 5)).empty());
}

TEST(Text, NeighboursOfOneOriginAreOneRun) {
  const Text text = built({{"a", 1}, {"", 9}, {"b", 1}, {"c", 2}});
  EXPECT_EQ(runs_of(text), (Runs{{"ab", 1}, {"c", 2}}));
}

TEST(Text, ConcatenationLeavesItsOperandsAlone) {
  const Text left("left", 1);
  const Text right("right", 2);
  const Text both = Text::concatenate(left, right);
  EXPECT_EQ(left.view(), "left");
  EXPECT_EQ(right.view(), "right");
  EXPECT_EQ(runs_of(both), (Runs{{"left", 1}, {"right", 2}}));
}

TEST(Text, ConcatenationWithNothingIsTheOtherText) {
  const Text text("x", 1);
  EXPECT_EQ(runs_of(Text::concatenate(text, Text())), (Runs{{"x", 1}}));
  EXPECT_EQ(runs_of(Text::concatenate(Text(), text)), (Runs{{"x", 1}}));
}

TEST(Text, AppendingToTheNewestEndDoesNotChangeOlderTexts) {
  const Text first = built({{"a", 1}});
  const Text second = Text::concatenate(first, Text("b", 2));
  const Text third = Text::concatenate(second, Text("c", 3));
  const Text branch = Text::concatenate(second, Text("d", 4));  // second no longer ends its storage
  EXPECT_EQ(first.view(), "a");
  EXPECT_EQ(second.view(), "ab");
  EXPECT_EQ(runs_of(third), (Runs{{"a", 1}, {"b", 2}, {"c", 3}}));
  EXPECT_EQ(runs_of(branch), (Runs{{"a", 1}, {"b", 2}, {"d", 4}}));
}

TEST(Text, CanBeAppendedToItself) {
  Text text = built({{"ab", 1}, {"c", 2}});
  for (int i = 0; i < 3; ++i) text = Text::concatenate(text, text);
  EXPECT_EQ(text.view(), "abcabcabcabcabcabcabcabc");
  EXPECT_EQ(runs_of(text.substring(0, 6)), (Runs{{"ab", 1}, {"c", 2}, {"ab", 1}, {"c", 2}}));
}

TEST(Text, AccumulatingIsLinear) {
  // With a copy at each step this would move 2.5 GB.
  Text text = built({{"-", 0}});
  const Text piece(std::string(50, 'x'), 1);
  for (int i = 0; i < 10'000; ++i) text = Text::concatenate(text, piece);
  EXPECT_EQ(text.size(), 500'001u);
  EXPECT_EQ(runs_of(text), (Runs{{"-", 0}, {std::string(500'000, 'x'), 1}}));
}

TEST(TextBuilder, ReleasesBytesAndRuns) {
  TextBuilder builder;
  builder.append("ab", 0);
  builder.append(Text("cd", 5));
  EXPECT_EQ(builder.size(), 4u);
  const auto [bytes, runs] = builder.release();
  EXPECT_EQ(bytes, "abcd");
  EXPECT_EQ(runs, (std::vector<OriginRun>{{0, 2, 0}, {2, 4, 5}}));
}

}  // namespace
}  // namespace parley::orchestration::jinja
