#include "orchestration/sandbox/line_splitter.h"

#include <gtest/gtest.h>

#include <vector>

namespace parley::orchestration::sandbox {
namespace {

using LongLine = LineSplitter::LongLine;
using Lines = std::vector<std::string>;

TEST(LineSplitter, GivesTheSameLinesHoweverTheBytesArrive) {
  const std::string text = "one\n\ntwo\r\nlonger line\nlast";
  const Lines expected = {"one", "", "two", "longer line", "last"};
  for (std::size_t size = 1; size <= text.size(); ++size) {
    Lines lines;
    const auto take = [&](std::string_view line) { lines.emplace_back(line); };
    LineSplitter splitter(100, LongLine::refuse);
    for (std::size_t at = 0; at < text.size(); at += size)
      EXPECT_TRUE(splitter.append(text.substr(at, size), take));
    splitter.finish(take);
    EXPECT_EQ(lines, expected) << "pieces of " << size;
  }
}

TEST(LineSplitter, RefusesALineThatIsTooLongAndEverythingAfter) {
  Lines lines;
  const auto take = [&](std::string_view line) { lines.emplace_back(line); };
  LineSplitter splitter(5, LongLine::refuse);
  EXPECT_TRUE(splitter.append("12345\n123", take));
  EXPECT_FALSE(splitter.append("456", take));
  EXPECT_FALSE(splitter.append("\nmore\n", take));
  splitter.finish(take);
  EXPECT_EQ(lines, Lines{"12345"});
}

TEST(LineSplitter, TellsTheBeginOfALineThatIsTooLongOnceAndAtOnce) {
  const std::string text = "123456789012\n12345\n123456\nend1234567890";
  for (std::size_t size = 1; size <= text.size(); ++size) {
    Lines lines;
    const auto take = [&](std::string_view line) { lines.emplace_back(line); };
    LineSplitter splitter(5, LongLine::cut);
    for (std::size_t at = 0; at < text.size(); at += size)
      EXPECT_TRUE(splitter.append(text.substr(at, size), take));
    EXPECT_EQ(lines.back(), "end12") << "it need not have ended";
    splitter.finish(take);
    EXPECT_EQ(lines, (Lines{"12345", "12345", "12345", "end12"})) << "pieces of " << size;
  }
}

TEST(LineSplitter, PassesBinaryBytesOn) {
  Lines lines;
  const std::string bytes("\0\xff\x01\n\x80", 5);
  LineSplitter splitter(10, LongLine::refuse);
  splitter.append(bytes, [&](std::string_view line) { lines.emplace_back(line); });
  EXPECT_EQ(lines, Lines{std::string("\0\xff\x01", 3)});
}

}  // namespace
}  // namespace parley::orchestration::sandbox
