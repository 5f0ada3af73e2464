#include "retrieval/chunking/heading_path.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace parley::retrieval::chunking {
namespace {

using Path = std::vector<std::string>;

TEST(HeadingPath, HoldsTheHeadingsOfHigherRank) {
  HeadingPath path;
  EXPECT_EQ(path.texts(), Path{});
  path.enter(1, "A");
  path.enter(3, "B");
  path.enter(3, "C");
  EXPECT_EQ(path.texts(), (Path{"A", "C"}));
  path.enter(2, "D");
  EXPECT_EQ(path.texts(), (Path{"A", "D"}));
  path.enter(1, "E");
  EXPECT_EQ(path.texts(), Path{"E"});
}

TEST(HeadingPath, HasAtMostNineLevels) {
  HeadingPath path;
  for (int level = -3; level < 1'000; ++level) {
    path.enter(level, std::to_string(level));
  }
  EXPECT_EQ(path.texts().size(), 9U);
  EXPECT_EQ(path.texts().back(), "999");
}

TEST(HeadingPath, ShowsAHeadingOnOneLine) {
  HeadingPath path;
  path.enter(1, "  Two\n  lines\tof it \n");
  EXPECT_EQ(path.texts(), Path{"Two lines of it"});
}

TEST(HeadingPath, LeavesOutTheMarksThatMakeAHeading) {
  const auto shown = [](std::string_view heading) {
    HeadingPath path;
    path.enter(1, heading);
    return path.texts().at(0);
  };
  EXPECT_EQ(shown("Install\n======="), "Install");
  EXPECT_EQ(shown("#####\nParts\n#####"), "Parts");
  EXPECT_EQ(shown("## Set up ##"), "Set up");
  EXPECT_EQ(shown("# C# and F#"), "C# and F#");
  EXPECT_EQ(shown("#pragma"), "#pragma");
  EXPECT_EQ(shown("----"), "");
}

TEST(HeadingPath, ShortensALongHeadingBetweenCharacters) {
  HeadingPath path;
  std::string heading;
  for (int at = 0; at < 150; ++at) {
    heading += "é";
  }
  path.enter(1, heading);
  const std::string shown = path.texts()[0];
  EXPECT_LE(shown.size(), 200U);
  EXPECT_GE(shown.size(), 198U);
  EXPECT_EQ(shown.substr(shown.size() - 5), "é…");
}

}  // namespace
}  // namespace parley::retrieval::chunking
