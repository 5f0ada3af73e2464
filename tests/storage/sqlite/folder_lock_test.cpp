#include "storage/sqlite/folder_lock.h"

#include <gtest/gtest.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <fstream>
#include <string>

#include "storage/sqlite/store_error.h"
#include "tests/fakes/temp_directory.h"

namespace parley::storage::sqlite {
namespace {

std::string lock_refusal(const std::filesystem::path& folder) {
  try {
    FolderLock lock(folder);
  } catch (const StoreError& error) {
    return error.what();
  }
  return "";
}

TEST(FolderLock, NamesTheProcessThatHoldsTheFolder) {
  const tests::fakes::TempDirectory folder;
  const FolderLock lock(folder.path());
  EXPECT_EQ(lock_refusal(folder.path()), folder.path().string() + " is in use by process " +
                                             std::to_string(::getpid()) +
                                             "; stop it or choose another --data folder.");
}

TEST(FolderLock, IsFreeAgainAfterItsOwner) {
  const tests::fakes::TempDirectory folder;
  { const FolderLock lock(folder.path()); }
  FolderLock lock(folder.path());
  FolderLock moved(std::move(lock));
  EXPECT_NE(lock_refusal(folder.path()), "");
  { const FolderLock last(std::move(moved)); }
  EXPECT_EQ(lock_refusal(folder.path()), "");
}

TEST(FolderLock, AFileLeftBehindByADeadProcessIsNoLock) {
  const tests::fakes::TempDirectory folder;
  std::ofstream(folder.path() / "parley.lock") << "1234567890123456789012345\n";
  const FolderLock lock(folder.path());
  std::string owner;
  std::ifstream(folder.path() / "parley.lock") >> owner;
  EXPECT_EQ(owner, std::to_string(::getpid()));
}

TEST(FolderLock, MakesThePrivateFolder) {
  const tests::fakes::TempDirectory folder;
  const auto data = folder.path() / "a" / "data";
  const FolderLock lock(data);
  struct stat status {};
  ASSERT_EQ(::stat(data.c_str(), &status), 0);
  EXPECT_EQ(status.st_mode & 0777, 0700u);
  ASSERT_EQ(::stat((data / "parley.lock").c_str(), &status), 0);
  EXPECT_EQ(status.st_mode & 0777, 0600u);
}

TEST(FolderLock, SaysWhyAFolderCannotBeUsed) {
  const tests::fakes::TempDirectory folder;
  std::ofstream(folder.path() / "file") << "x";
  const std::string text = lock_refusal(folder.path() / "file");
  EXPECT_NE(text.find((folder.path() / "file").string()), std::string::npos) << text;
  EXPECT_NE(text.find("choose another --data folder"), std::string::npos) << text;
}

// Root may write everywhere, so the folder is tried by a child process without rights.
TEST(FolderLock, SaysThatAFolderIsNotWritable) {
  const tests::fakes::TempDirectory folder;
  const auto data = folder.path() / "data";
  std::filesystem::create_directory(data);
  std::filesystem::permissions(folder.path(), std::filesystem::perms::owner_all |
                                                  std::filesystem::perms::group_exec |
                                                  std::filesystem::perms::others_exec);
  std::filesystem::permissions(data, std::filesystem::perms::owner_read | std::filesystem::perms::owner_exec |
                                         std::filesystem::perms::others_exec);
  const pid_t child = ::fork();
  ASSERT_GE(child, 0);
  if (child == 0) {
    if (::geteuid() == 0 && ::setuid(65534) != 0) ::_exit(2);
    ::_exit(lock_refusal(data).find("Permission denied") != std::string::npos ? 0 : 1);
  }
  int status = 0;
  ASSERT_EQ(::waitpid(child, &status, 0), child);
  EXPECT_EQ(status, 0);
}

}  // namespace
}  // namespace parley::storage::sqlite
