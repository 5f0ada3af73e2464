#include "app/cli/read_input.h"

#include <gtest/gtest.h>

#include <fstream>
#include <stdexcept>

#include "tests/fakes/message_of.h"
#include "tests/fakes/temp_directory.h"

namespace parley::app::cli {
namespace {

TEST(ReadInputTest, ReadsAFileByteForByte) {
  const tests::fakes::TempDirectory directory;
  const std::string path = (directory.path() / "a").string();
  const std::string bytes("a\0\r\n\xFF", 5);
  std::ofstream(path, std::ios::binary) << bytes;
  EXPECT_EQ(read_input(path), bytes);
}

TEST(ReadInputTest, EndsWhatHasNoEnd) {
  EXPECT_EQ(tests::fakes::message_of([] { read_input("/dev/zero"); }),
            "/dev/zero is longer than 256 MiB; give less at a time");
}

TEST(ReadInputTest, NamesWhatCannotBeRead) {
  for (const char* path : {"/nonexistent", "/"}) {
    EXPECT_EQ(tests::fakes::message_of([&] { read_input(path); }),
              "cannot read " + std::string(path) + "; check the path and its permissions");
  }
}

}  // namespace
}  // namespace parley::app::cli
