#include "orchestration/sandbox/private_home.h"

#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <fstream>

#include "tests/fakes/temp_directory.h"

namespace parley::orchestration::sandbox {
namespace {

namespace fs = std::filesystem;

Access unfenced() {
  Access access;
  access.fence = Fence::none;
  return access;
}

struct stat status_of(const fs::path& path) {
  struct stat status = {};
  ::lstat(path.c_str(), &status);
  return status;
}

TEST(PrivateHome, IsNotNeededBehindTheFence) {
  const PrivateHome home(Access{}, tool_user());
  EXPECT_EQ(home.path(), "");
  EXPECT_EQ(home.problem(), "");
}

TEST(PrivateHome, IsMadeForOneRunAndRemovedWithAllThatIsInIt) {
  fs::path path;
  {
    const PrivateHome home(unfenced(), tool_user());
    path = home.path();
    ASSERT_EQ(home.problem(), "");
    EXPECT_EQ(status_of(path).st_uid, tool_user().user);
    EXPECT_EQ(status_of(path).st_mode & 07777, 0700U);
    fs::create_directories(path / "a" / "b");
    std::ofstream(path / "a" / "b" / "file") << "x";
    fs::permissions(path / "a", fs::perms::none);
  }
  EXPECT_FALSE(fs::exists(path));
}

TEST(PrivateHome, RemovesALinkAndNotWhereItLeads) {
  const tests::fakes::TempDirectory outside;
  std::ofstream(outside.path() / "kept") << "x";
  {
    const PrivateHome home(unfenced(), tool_user());
    fs::create_directory_symlink(outside.path(), home.path() / "link");
  }
  EXPECT_TRUE(fs::exists(outside.path() / "kept"));
}

TEST(PrivateHome, IsKeptWhereTheProgramHasOne) {
  const tests::fakes::TempDirectory folder;
  Access access;
  access.home = folder.path() / "homes" / "one";
  { const PrivateHome home(access, tool_user()); }
  EXPECT_EQ(status_of(access.home).st_uid, tool_user().user);
  std::ofstream(access.home / "file") << "x";
  fs::create_symlink("/etc/passwd", access.home / "link");
  { const PrivateHome home(access, tool_user()); }
  EXPECT_TRUE(fs::exists(access.home / "file"));
}

// Parley was started as somebody else before.
TEST(PrivateHome, IsGivenWithItsContentsButNotThroughLinks) {
  if (::geteuid() != 0) GTEST_SKIP() << "only root gives files away";
  const tests::fakes::TempDirectory folder;
  Access access;
  access.home = folder.path() / "home";
  fs::create_directory(access.home);
  std::ofstream(access.home / "file") << "x";
  std::ofstream(folder.path() / "outside") << "x";
  fs::create_symlink(folder.path() / "outside", access.home / "link");
  const PrivateHome home(access, tool_user());
  EXPECT_EQ(home.problem(), "");
  EXPECT_EQ(status_of(access.home / "file").st_uid, tool_user().user);
  EXPECT_EQ(status_of(access.home / "link").st_uid, tool_user().user);
  EXPECT_EQ(status_of(folder.path() / "outside").st_uid, 0U);
}

TEST(PrivateHome, SaysWhyItCannotBeMade) {
  const tests::fakes::TempDirectory folder;
  std::ofstream(folder.path() / "file") << "x";
  fs::create_directory_symlink("/usr", folder.path() / "link");
  Access access;
  for (const char* name : {"file", "link", "file/below"}) {
    access.home = folder.path() / name;
    EXPECT_NE(PrivateHome(access, tool_user()).problem(), "") << name;
  }
}

}  // namespace
}  // namespace parley::orchestration::sandbox
