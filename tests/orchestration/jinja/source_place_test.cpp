#include "orchestration/jinja/source_place.h"

#include <gtest/gtest.h>

#include <string>

namespace parley::orchestration::jinja {
namespace {

TEST(SourcePlace, CountsLinesAndCodePoints) {
  const std::string source = "one\nzwöi €x\n\nend";
  const SourcePlace x = place_in(source, source.find('x'));
  EXPECT_EQ(x.line, 2u);
  EXPECT_EQ(x.column, 7u);
  EXPECT_EQ(x.snippet, "x");
  const SourcePlace end = place_in(source, source.find("end"));
  EXPECT_EQ(end.line, 4u);
  EXPECT_EQ(end.column, 1u);
}

TEST(SourcePlace, TheEndHasNoSnippet) {
  EXPECT_EQ(place_in("abc", 3).snippet, "");
  EXPECT_EQ(place_in("abc", 100).column, 4u);
  EXPECT_EQ(located_message("abc", 3, "gone"), "chat template line 1, column 4: gone");
}

TEST(SourcePlace, SnippetsEndWithTheirLineOrAfterSixtyCodePoints) {
  EXPECT_EQ(place_in("ab\ncd", 0).snippet, "ab");
  std::string line;
  for (int i = 0; i < 100; ++i) line += "é";
  EXPECT_EQ(place_in(line, 0).snippet, line.substr(0, 120));
}

TEST(SourcePlace, MessagesQuoteTheSnippet) {
  EXPECT_EQ(located_message("{{ x }}", 3, "bad"), "chat template line 1, column 4: bad, near `x }}`");
}

}  // namespace
}  // namespace parley::orchestration::jinja
