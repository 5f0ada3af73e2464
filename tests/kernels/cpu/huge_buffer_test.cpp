#include "kernels/cpu/huge_buffer.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <limits>
#include <new>
#include <utility>

namespace parley::kernels::cpu {
namespace {

TEST(HugeBuffer, IsZeroFilledWritableToItsEndAndAligned) {
  for (const std::size_t bytes : {std::size_t{1}, std::size_t{4096}, (std::size_t{2} << 20) + 5}) {
    const HugeBuffer buffer(bytes);
    EXPECT_EQ(buffer.bytes(), bytes);
    EXPECT_EQ(reinterpret_cast<std::uintptr_t>(buffer.data()) % (std::size_t{2} << 20), 0u);
    EXPECT_EQ(buffer.data()[0], std::byte{0});
    EXPECT_EQ(buffer.data()[bytes - 1], std::byte{0});
    buffer.data()[bytes - 1] = std::byte{7};
    EXPECT_EQ(buffer.data()[bytes - 1], std::byte{7});
  }
}

TEST(HugeBuffer, EmptyHasNoMemory) {
  EXPECT_EQ(HugeBuffer().data(), nullptr);
  EXPECT_EQ(HugeBuffer(0).data(), nullptr);
}

TEST(HugeBuffer, MovingHandsTheMemoryOver) {
  HugeBuffer first(100);
  std::byte* data = first.data();
  HugeBuffer second(std::move(first));
  EXPECT_EQ(second.data(), data);
  HugeBuffer third;
  third = std::move(second);
  EXPECT_EQ(third.data(), data);
  EXPECT_EQ(third.bytes(), 100u);
}

TEST(HugeBuffer, TryingGivesNothingWhereTheConstructorThrows) {
  EXPECT_EQ(HugeBuffer::try_reserve(std::numeric_limits<std::size_t>::max() / 4).bytes(), 0u);
  EXPECT_EQ(HugeBuffer::try_reserve(std::numeric_limits<std::size_t>::max()).data(), nullptr);
  const HugeBuffer buffer = HugeBuffer::try_reserve(5000);
  EXPECT_EQ(buffer.bytes(), 5000u);
  EXPECT_EQ(buffer.data()[4999], std::byte{0});
}

TEST(HugeBuffer, AnImpossibleSizeThrows) {
  EXPECT_THROW(HugeBuffer(std::numeric_limits<std::size_t>::max() / 4), std::bad_alloc);
  EXPECT_THROW(HugeBuffer(std::numeric_limits<std::size_t>::max()), std::bad_alloc);
}

}  // namespace
}  // namespace parley::kernels::cpu
