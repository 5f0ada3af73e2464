#pragma once
// The middle of some measurements. Pure, any thread.

#include <algorithm>
#include <cstddef>
#include <vector>

namespace parley::bench {

// The upper one of two middles. `values` must not be empty.
inline double median(std::vector<double> values) {
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::nth_element(values.begin(), middle, values.end());
  return *middle;
}

}  // namespace parley::bench
