#include "orchestration/sandbox/descriptor.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <utility>

#include "orchestration/sandbox/keeper_image.h"

namespace parley::orchestration::sandbox {
namespace {

bool is_open(int number) { return ::fcntl(number, F_GETFD) >= 0; }

TEST(Descriptor, IsClosedOnceByItsLastOwner) {
  int number = -1;
  {
    Descriptor first = make_event();
    number = first.number();
    Descriptor second = std::move(first);
    EXPECT_TRUE(is_open(number));
    Descriptor third;
    third = std::move(second);
    EXPECT_EQ(third.number(), number);
  }
  EXPECT_FALSE(is_open(number));
}

TEST(Descriptor, NoneOfOursIsInherited) {
  const Pipe pipe = make_pipe();
  const Descriptor event = make_event();
  const Descriptor file = memory_file("test", "x");
  for (const Descriptor* one : {&pipe.read_end, &pipe.write_end, &event, &file}) {
    EXPECT_TRUE(::fcntl(one->number(), F_GETFD) & FD_CLOEXEC);
  }
}

TEST(Descriptor, AnEventIsClearedAfterItWasSignalled) {
  const Descriptor event = make_event();
  signal_event(event);
  signal_event(event);
  clear_event(event);
  char buffer[8];
  EXPECT_EQ(::read(event.number(), buffer, sizeof buffer), -1);
}

TEST(Descriptor, AMemoryFileCannotBeChanged) {
  const std::string bytes(100000, 'b');
  const Descriptor file = memory_file("test", bytes);
  std::string read(bytes.size() + 1, '\0');
  EXPECT_EQ(::read(file.number(), read.data(), read.size()), static_cast<ssize_t>(bytes.size()));
  EXPECT_EQ(::pwrite(file.number(), "x", 1, 0), -1);
  EXPECT_EQ(::ftruncate(file.number(), 0), -1);
}

TEST(KeeperImage, IsAProgram) {
  EXPECT_TRUE(
      keeper_image().starts_with("\x7f"
                                 "ELF"));
}

}  // namespace
}  // namespace parley::orchestration::sandbox
