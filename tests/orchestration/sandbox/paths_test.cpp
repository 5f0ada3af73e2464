#include "orchestration/sandbox/paths.h"

#include <gtest/gtest.h>

namespace parley::orchestration::sandbox {
namespace {

TEST(Paths, LieInAFolderByWholeComponents) {
  EXPECT_TRUE(lies_in("/a/b", "/a"));
  EXPECT_TRUE(lies_in("/a/b", "/a/"));
  EXPECT_TRUE(lies_in("/a", "/a"));
  EXPECT_TRUE(lies_in("/a", "/"));
  EXPECT_FALSE(lies_in("/ab", "/a"));
  EXPECT_FALSE(lies_in("/a", "/a/b"));
  EXPECT_FALSE(lies_in("/b/a", "/a"));
}

TEST(Paths, FindAProgramAsTheSystemDoes) {
  EXPECT_EQ(find_program("sh", "/nowhere:/bin"), "/bin/sh");
  EXPECT_EQ(find_program("/bin/sh", ""), "/bin/sh");
  EXPECT_EQ(find_program("sh", "/nowhere"), "");
  EXPECT_EQ(find_program("no-such-program", "/usr/bin:/bin"), "");
  EXPECT_EQ(find_program("passwd", "/etc"), "") << "not executable";
  EXPECT_EQ(find_program("ssl", "/etc"), "") << "a folder";
  EXPECT_EQ(find_program("sh", ":."), "") << "the working directory is never searched";
}

}  // namespace
}  // namespace parley::orchestration::sandbox
