#include "orchestration/sandbox/declared_paths.h"

#include <gtest/gtest.h>

#include <fstream>
#include <string>
#include <utility>
#include <vector>

#include "tests/fakes/temp_directory.h"

namespace parley::orchestration::sandbox {
namespace {

namespace fs = std::filesystem;

// As npm lays it out: .bin/tool leads to a file of a package, which needs its neighbours.
class DeclaredPathsTest : public testing::Test {
 protected:
  DeclaredPathsTest() {
    fs::create_directories(modules_ / ".bin");
    fs::create_directories(modules_ / "tool/dist");
    std::ofstream(modules_ / "tool/dist/main.js") << "x";
    fs::create_symlink("../tool/dist/main.js", modules_ / ".bin/tool");
  }

  static Program program_of(const fs::path& file) {
    Program program;
    program.argv = {file.string()};
    return program;
  }
  // "/a -> /b" for what lies elsewhere inside, "/a" for the rest, and a "rw" behind what can be written.
  static std::vector<std::string> shown(const Program& program) {
    std::vector<std::string> words;
    for (const DeclaredPath& path : declared_paths(program).paths) {
      const bool moved = path.source != path.destination;
      words.push_back(path.source.string() + (moved ? " -> " + path.destination.string() : "") +
                      (path.writable ? " rw" : ""));
    }
    return words;
  }

  const tests::fakes::TempDirectory directory_;
  const fs::path root_ = fs::canonical(directory_.path());
  const fs::path modules_ = root_ / "node_modules";
};

using Words = std::vector<std::string>;

TEST_F(DeclaredPathsTest, WritableWinsWhereAPathIsDeclaredTwice) {
  Program program = program_of("true");
  program.access.readable = {"/data"};
  program.access.writable = {"/data"};
  const std::vector<DeclaredPath> paths = declared_paths(program).paths;
  ASSERT_EQ(paths.size(), 1U);
  EXPECT_TRUE(paths[0].writable);
}

TEST_F(DeclaredPathsTest, AddsTheProgramItselfWhereItLiesElsewhere) {
  Program program = program_of("true");
  program.argv = {"/etc/hostname"};  // a file outside /usr that is there
  ASSERT_EQ(declared_paths(program).paths.size(), 1U);
  EXPECT_EQ(declared_paths(program).paths[0].destination, "/etc/hostname");
  program.access.readable = {"/etc"};
  EXPECT_EQ(declared_paths(program).paths.size(), 1U) << "the folder covers it";
  program.access.readable.clear();
  for (const char* inside : {"/usr/bin/env", "/bin/sh", "sh", "/no/such/file"}) {
    program.argv = {inside};
    EXPECT_TRUE(declared_paths(program).paths.empty()) << inside;
  }
}

TEST_F(DeclaredPathsTest, AProgramThatIsALinkStaysOne) {
  const fs::path link = modules_ / ".bin/tool";
  const fs::path main = modules_ / "tool/dist/main.js";
  const Program program = program_of(link);
  EXPECT_EQ(shown(program), Words{link.string() + " -> " + main.string()});
  const auto links = declared_paths(program).links;
  ASSERT_EQ(links.size(), 1U);
  EXPECT_EQ(links[0].place, link);
  EXPECT_EQ(links[0].target, main);
}

TEST_F(DeclaredPathsTest, ALinkInAFolderThatIsBoundIsThereAlready) {
  const fs::path link = modules_ / ".bin/tool";
  const fs::path main = modules_ / "tool/dist/main.js";
  Program program = program_of(link);
  program.access.readable = {modules_ / ".bin", link};
  EXPECT_EQ(shown(program), (Words{(modules_ / ".bin").string(), link.string() + " -> " + main.string()}));
  EXPECT_TRUE(declared_paths(program).links.empty());
  program.access.readable.push_back(modules_ / "tool/dist");
  EXPECT_EQ(shown(program), (Words{(modules_ / ".bin").string(), (modules_ / "tool/dist").string(),
                                   link.string() + " -> " + main.string()}));
}

TEST_F(DeclaredPathsTest, FollowsLinksOfFoldersAndOfLinks) {
  fs::create_directory_symlink("node_modules", root_ / "modules");
  fs::create_symlink(".bin/tool", modules_ / "again");
  Program program = program_of("true");
  program.access.readable = {root_, root_ / "modules/again"};
  EXPECT_EQ(shown(program), (Words{root_.string(), (root_ / "modules/again").string() + " -> " +
                                                       (modules_ / "tool/dist/main.js").string()}));
  program.access.readable = {root_ / "modules", root_ / "modules/.bin/tool"};
  EXPECT_EQ(shown(program),
            (Words{(root_ / "modules").string(), (root_ / "modules/.bin/tool").string() + " -> " +
                                                     (root_ / "modules/tool/dist/main.js").string()}))
      << "inside, the folder is where it was named";
}

TEST_F(DeclaredPathsTest, ALinkIntoUsrNeedsNothingElse) {
  fs::create_symlink("/usr/bin/env", root_ / "python");
  const DeclaredPaths declared = declared_paths(program_of(root_ / "python"));
  EXPECT_TRUE(declared.paths.empty());
  ASSERT_EQ(declared.links.size(), 1U);
  EXPECT_EQ(declared.links[0].target, fs::canonical("/usr/bin/env"));
}

TEST_F(DeclaredPathsTest, AFolderThatIsALinkLiesWhereItIsNamed) {
  fs::create_directory_symlink("node_modules", root_ / "modules");
  Program program = program_of("true");
  program.access.readable = {root_ / "modules"};
  EXPECT_EQ(shown(program), Words{(root_ / "modules").string()});
  EXPECT_TRUE(declared_paths(program).links.empty());
}

TEST_F(DeclaredPathsTest, LinksThatGoRoundInCirclesEnd) {
  fs::create_symlink("b", root_ / "a");
  fs::create_symlink("a", root_ / "b");
  Program program = program_of(root_ / "a");
  program.access.readable = {root_, root_ / "a"};
  EXPECT_EQ(declared_paths(program).paths.size(), 2U) << "what is wrong with it is said elsewhere";
}

}  // namespace
}  // namespace parley::orchestration::sandbox
