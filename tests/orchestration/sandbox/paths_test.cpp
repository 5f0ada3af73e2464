#include "orchestration/sandbox/paths.h"

#include <gtest/gtest.h>

#include <utility>

#include "tests/fakes/temp_directory.h"

namespace parley::orchestration::sandbox {
namespace {

namespace fs = std::filesystem;

TEST(Paths, LieInAFolderByWholeComponents) {
  EXPECT_TRUE(lies_in("/a/b", "/a"));
  EXPECT_TRUE(lies_in("/a/b", "/a/"));
  EXPECT_TRUE(lies_in("/a", "/a"));
  EXPECT_TRUE(lies_in("/a", "/"));
  EXPECT_FALSE(lies_in("/ab", "/a"));
  EXPECT_FALSE(lies_in("/a", "/a/b"));
  EXPECT_FALSE(lies_in("/b/a", "/a"));
}

TEST(Paths, LeadToARealPathOrSayWhatIsInTheWay) {
  const tests::fakes::TempDirectory folder;
  const fs::path root = fs::canonical(folder.path());
  fs::create_directories(root / "a" / "b");
  fs::create_directories(root / "work" / "real");
  fs::create_symlink("../a", root / "work" / "planted");
  fs::create_symlink("work/./real/..", root / "relative");
  fs::create_symlink(root / "work" / "planted" / "b", root / "chain");
  fs::create_symlink("loop", root / "loop");
  fs::create_symlink("nowhere", root / "dangling");
  for (const auto& [way, real] : {std::pair("a/b", "a/b"), std::pair("relative", "work"),
                                  std::pair("chain", "a/b"), std::pair("work/planted/b", "a/b")}) {
    const RealPath found = real_path(root / way, {});
    EXPECT_EQ(found.path, root / real) << way;
    EXPECT_FALSE(found.error) << way;
  }
  for (const char* way : {"chain", "work/planted", "work/planted/b"}) {
    EXPECT_EQ(real_path(root / way, {root / "work"}).planted, root / "work" / "planted") << way;
    EXPECT_EQ(real_path(root / way, {root / "relative"}).planted, root / "work" / "planted") << way;
    EXPECT_EQ(real_path(root / way, {root / "wor", root / "work" / "real"}).planted, "") << way;
  }
  EXPECT_EQ(real_path(root / "relative", {root / "work"}).path, root / "work")
      << "the link itself lies elsewhere";
  for (const char* way : {"loop", "dangling", "a/missing", "a/b/c/d"})
    EXPECT_TRUE(real_path(root / way, {}).error) << way;
  EXPECT_EQ(real_path("/", {}).path, "/");
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
