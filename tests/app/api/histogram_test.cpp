#include "app/api/histogram.h"

#include <gtest/gtest.h>

namespace parley::app::api {
namespace {

TEST(HistogramTest, CountsAValueAtItsBoundBelowIt) {
  Histogram histogram({1, 2});
  for (const double value : {-5.0, 0.5, 1.0, 1.5, 2.0, 2.5, 1e9}) histogram.add(value);
  EXPECT_EQ(histogram.counts(), (std::vector<std::uint64_t>{3, 2, 2}));
  EXPECT_EQ(histogram.sum(), 1e9 + 2.5);
}

TEST(HistogramTest, WithoutBoundsItOnlySums) {
  Histogram histogram({});
  histogram.add(2);
  EXPECT_EQ(histogram.counts(), std::vector<std::uint64_t>{1});
  EXPECT_EQ(histogram.sum(), 2);
}

}  // namespace
}  // namespace parley::app::api
