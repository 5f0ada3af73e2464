#pragma once
// Counts of values up to growing bounds, and their sum. A value, for one thread; never fails.

#include <cstdint>
#include <vector>

namespace parley::app::api {

class Histogram {
 public:
  explicit Histogram(std::vector<double> bounds);  // ascending
  void add(double value);

  const std::vector<double>& bounds() const { return bounds_; }
  // Of values above the bound before and not above its own; one more than bounds: those above all.
  const std::vector<std::uint64_t>& counts() const { return counts_; }
  double sum() const { return sum_; }

 private:
  std::vector<double> bounds_;
  std::vector<std::uint64_t> counts_;
  double sum_ = 0;
};

}  // namespace parley::app::api
