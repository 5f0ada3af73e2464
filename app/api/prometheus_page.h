#pragma once
// Prometheus' text format, version 0.0.4. One object per page, used by one thread; never fails.

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "app/api/histogram.h"

namespace parley::app::api {

class PrometheusPage {
 public:
  using Labels = std::vector<std::pair<std::string, std::string>>;

  // Labels that every sample has.
  explicit PrometheusPage(Labels common = {}) : common_(std::move(common)) {}

  void gauge(std::string_view name, std::string_view help, double value);
  void counter(std::string_view name, std::string_view help, double value);
  void histogram(std::string_view name, std::string_view help, const Histogram& histogram);

  // For several samples of one name: a family, then its samples.
  void family(std::string_view name, std::string_view type, std::string_view help);
  void sample(std::string_view name, const Labels& labels, double value);

  std::string take() { return std::move(text_); }

 private:
  Labels common_;
  std::string text_;
};

}  // namespace parley::app::api
