#include "orchestration/tools/trusted_file.h"

#include <gtest/gtest.h>

#include "tests/orchestration/tools/scratch_folder.h"

namespace parley::orchestration::tools {
namespace {

TEST(TrustedFileTest, ReadsWhatOnlyItsOwnerCanChange) {
  const ScratchFolder folder;
  EXPECT_EQ(read_trusted_file(folder.write("a", "text", 0644), 10).bytes, "text");
  EXPECT_EQ(read_trusted_file(folder.write("b", "", 0600), 10).problem, "");
}

TEST(TrustedFileTest, RefusesWhatOthersCanChangeAndSaysWhatToRun) {
  const ScratchFolder folder;
  for (const mode_t mode : {0620, 0602, 0666}) {
    const auto path = folder.write("a", "text", mode);
    const TrustedFile file = read_trusted_file(path, 10);
    EXPECT_NE(file.problem.find("chmod go-w " + path.string()), std::string::npos) << file.problem;
    EXPECT_EQ(file.bytes, "");
  }
}

TEST(TrustedFileTest, OtherFilesAreReadWhoeverMayChangeThem) {
  const ScratchFolder folder;
  EXPECT_EQ(read_regular_file(folder.write("a", "text", 0666), 10).bytes, "text");
  EXPECT_NE(read_regular_file(folder.write("b", "01234567890"), 10).problem.find("larger than 10"),
            std::string::npos);
  EXPECT_NE(read_regular_file(folder.path(), 10).problem.find("no regular file"), std::string::npos);
}

TEST(TrustedFileTest, RefusesSomebodyElsesFile) {
  if (::geteuid() != 0) GTEST_SKIP() << "only root can give a file away";
  const ScratchFolder folder;
  const auto path = folder.write("a", "text", 0644);
  ASSERT_EQ(::chown(path.c_str(), 12345, 12345), 0);
  EXPECT_NE(read_trusted_file(path, 10).problem.find("belongs to another user"), std::string::npos);
}

TEST(TrustedFileTest, RefusesWhatIsNoFileOrTooLarge) {
  const ScratchFolder folder;
  EXPECT_NE(read_trusted_file(folder / "none", 10).problem.find("No such file"), std::string::npos);
  EXPECT_NE(read_trusted_file(folder.path(), 10).problem, "");
  ASSERT_EQ(::mkfifo((folder / "pipe").c_str(), 0600), 0);
  EXPECT_NE(read_trusted_file(folder / "pipe", 10).problem.find("no regular file"), std::string::npos);
  EXPECT_NE(read_trusted_file(folder.write("a", "01234567890"), 10).problem.find("larger than 10"),
            std::string::npos);
  EXPECT_EQ(read_trusted_file(folder.write("a", "0123456789"), 10).bytes.size(), 10u);
}

}  // namespace
}  // namespace parley::orchestration::tools
