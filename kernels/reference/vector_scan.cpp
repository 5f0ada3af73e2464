#include "kernels/reference/vector_scan.h"

#include <cassert>
#include <cstddef>

#include "kernels/dtypes/half.h"

namespace parley::kernels::reference {

float scan_score(std::span<const std::int8_t> code, float scale, std::span<const std::int8_t> query) {
  assert(code.size() == query.size());
  std::int64_t sum = 0;
  for (std::size_t d = 0; d < code.size(); ++d) sum += std::int64_t{code[d]} * query[d];
  return static_cast<float>(sum) * scale;
}

double dot_half(std::span<const float> query, std::span<const std::uint16_t> row) {
  assert(query.size() == row.size());
  double sum = 0.0;
  for (std::size_t d = 0; d < row.size(); ++d)
    sum += static_cast<double>(query[d]) * static_cast<double>(dtypes::half_to_float(row[d]));
  return sum;
}

}  // namespace parley::kernels::reference
