#include "orchestration/tools/private_file.h"

#include <gtest/gtest.h>

#include <thread>

#include "tests/orchestration/tools/scratch_folder.h"

namespace parley::orchestration::tools {
namespace {

TEST(PrivateFile, IsReplacedAsAWholeWhateverItsModeWas) {
  const ScratchFolder folder;
  const auto path = folder.write("a", "old and longer", 0644);
  EXPECT_EQ(replace_private_file(path, "new"), std::nullopt);
  EXPECT_EQ(ScratchFolder::read(path), "new");
  EXPECT_EQ(mode_of(path), 0600u);
}

TEST(PrivateFile, ALinkIsReplacedNotFollowed) {
  const ScratchFolder folder;
  const auto target = folder.write("target", "keep");
  std::filesystem::create_symlink(target, folder / "link");
  EXPECT_EQ(replace_private_file(folder / "link", "new"), std::nullopt);
  EXPECT_EQ(ScratchFolder::read(target), "keep");
  std::filesystem::remove(folder / "link");
  std::filesystem::create_symlink(target, folder / "link");
  EXPECT_NE(append_private_file(folder / "link", "x"), std::nullopt);
  EXPECT_EQ(ScratchFolder::read(target), "keep");
}

TEST(PrivateFile, LinesOfSeveralThreadsDoNotMix) {
  const ScratchFolder folder;
  const auto path = folder / "log";
  std::vector<std::thread> threads;
  for (int t = 0; t < 4; ++t) {
    threads.emplace_back([&, t] {
      const std::string line = std::string(200, static_cast<char>('a' + t)) + "\n";
      for (int i = 0; i < 50; ++i) EXPECT_EQ(append_private_file(path, line), std::nullopt);
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(mode_of(path), 0600u);
  std::ifstream stream(path);
  int lines = 0;
  for (std::string line; std::getline(stream, line); ++lines) EXPECT_EQ(line, std::string(200, line.at(0)));
  EXPECT_EQ(lines, 200);
}

}  // namespace
}  // namespace parley::orchestration::tools
