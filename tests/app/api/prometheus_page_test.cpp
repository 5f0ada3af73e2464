#include "app/api/prometheus_page.h"

#include <gtest/gtest.h>

#include <cmath>

namespace parley::app::api {
namespace {

TEST(PrometheusPageTest, WritesSamples) {
  const PrometheusPage::Labels labels = {{"model", "a\"b\\c\n"}};
  PrometheusPage page(labels);
  page.gauge("x:y", "Help.", 0.5);
  page.counter("n_total", "More.", 12345678901.0);
  EXPECT_EQ(page.take(),
            "# HELP x:y Help.\n# TYPE x:y gauge\nx:y{model=\"a\\\"b\\\\c\\n\"} 0.5\n"
            "# HELP n_total More.\n# TYPE n_total counter\nn_total{model=\"a\\\"b\\\\c\\n\"} 12345678901\n");
}

TEST(PrometheusPageTest, WritesNoBracesWithoutLabels) {
  PrometheusPage page;
  page.gauge("x", "Help.", std::nan(""));
  EXPECT_TRUE(page.take().ends_with("\nx NaN\n"));
}

TEST(PrometheusPageTest, WritesHistogramsWithGrowingCounts) {
  Histogram histogram({1, 2});
  for (const double value : {0.5, 1.0, 1.5, 3.0}) histogram.add(value);
  PrometheusPage page;
  page.histogram("h", "Help.", histogram);
  EXPECT_EQ(page.take(),
            "# HELP h Help.\n# TYPE h histogram\nh_bucket{le=\"1\"} 2\nh_bucket{le=\"2\"} "
            "3\nh_bucket{le=\"+Inf\"} 4\n"
            "h_sum 6\nh_count 4\n");
}

}  // namespace
}  // namespace parley::app::api
