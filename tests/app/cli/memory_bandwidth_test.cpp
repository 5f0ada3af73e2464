#include "app/cli/memory_bandwidth.h"

#include <gtest/gtest.h>

namespace parley::app::cli {
namespace {

// A figure that no machine has would mean that the reads were left out, or counted in another unit.
TEST(MemoryBandwidthTest, IsThatOfAMachine) {
  const double bytes_per_second = measure_read_bandwidth(1);
  EXPECT_GT(bytes_per_second, 1e8);
  EXPECT_LT(bytes_per_second, 2e12);
}

}  // namespace
}  // namespace parley::app::cli
