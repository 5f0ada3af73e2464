#include "inference/formats/mapped_file.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/stat.h>

#include <filesystem>
#include <fstream>
#include <stdexcept>
#include <string>
#include <utility>

#include "tests/fakes/message_of.h"
#include "tests/fakes/temp_directory.h"

namespace parley::inference::formats {
namespace {

class MappedFileTest : public testing::Test {
 protected:
  MappedFileTest() {
    write("abc");
    set_time(1'000'000'000);
  }
  void write(const std::string& text) { std::ofstream(path_, std::ios::binary) << text; }
  // File times may tick as seldom as every 10 ms: tests set them.
  void set_time(time_t seconds) {
    const timespec times[2] = {{seconds, 5}, {seconds, 5}};
    ASSERT_EQ(::utimensat(AT_FDCWD, path_.c_str(), times, 0), 0);
  }
  static std::string text(const MappedFile& file) {
    return {reinterpret_cast<const char*>(file.bytes().data()), file.bytes().size()};
  }
  std::string error(const std::filesystem::path& path) {
    return tests::fakes::message_of([&] { const MappedFile file(path); });
  }

  tests::fakes::TempDirectory directory_;
  std::filesystem::path path_ = directory_.path() / "file";
};

TEST_F(MappedFileTest, holds_the_bytes_of_the_file) {
  EXPECT_EQ(text(MappedFile(path_)), "abc");
  const std::string large(3 * 4096 + 1, 'x');
  write(large);
  EXPECT_EQ(text(MappedFile(path_)), large);
  write("");
  EXPECT_TRUE(MappedFile(path_).bytes().empty());
}

TEST_F(MappedFileTest, moves_with_its_bytes) {
  MappedFile first(path_);
  const std::byte* data = first.bytes().data();
  MappedFile second(std::move(first));
  EXPECT_EQ(second.bytes().data(), data);
  write("other text");
  MappedFile third(path_);
  third = std::move(second);
  EXPECT_EQ(third.bytes().data(), data);
  EXPECT_EQ(third.bytes().size(), 3u);
}

TEST_F(MappedFileTest, tells_whether_the_file_was_written_to) {
  const MappedFile file(path_);
  EXPECT_TRUE(file.is_unchanged());
  std::ofstream(path_, std::ios::app) << "d";
  EXPECT_FALSE(file.is_unchanged()) << "longer";
  std::filesystem::resize_file(path_, 3);
  set_time(1'000'000'000);
  EXPECT_TRUE(file.is_unchanged());
  set_time(1'000'000'001);
  EXPECT_FALSE(file.is_unchanged()) << "as long, but written to later";
  std::filesystem::resize_file(path_, 0);
  set_time(1'000'000'000);
  EXPECT_FALSE(file.is_unchanged()) << "emptied";
}

TEST_F(MappedFileTest, a_file_that_is_replaced_or_removed_stays_as_it_was) {
  const MappedFile file(path_);
  const auto other = directory_.path() / "other";
  std::ofstream(other) << "wholly different";
  std::filesystem::rename(other, path_);
  EXPECT_EQ(text(file), "abc");
  EXPECT_TRUE(file.is_unchanged());
  std::filesystem::remove(path_);
  EXPECT_EQ(text(file), "abc");
  EXPECT_TRUE(file.is_unchanged());
}

TEST_F(MappedFileTest, names_what_cannot_be_mapped) {
  const auto missing = directory_.path() / "missing";
  EXPECT_EQ(error(missing), missing.string() + ": cannot open: No such file or directory");
  EXPECT_EQ(error(directory_.path()), directory_.path().string() + ": not a regular file");
  const auto pipe = directory_.path() / "pipe";
  ASSERT_EQ(::mkfifo(pipe.c_str(), 0600), 0);
  EXPECT_EQ(error(pipe), pipe.string() + ": not a regular file") << "and no wait for a writer";
}

}  // namespace
}  // namespace parley::inference::formats
