#include "kernels/dtypes/dtype.h"

#include <cassert>

namespace parley::kernels::dtypes {

const DTypeTraits& traits(DType dtype) {
  static constexpr DTypeTraits kTraits[] = {
      {"F32", 1, 4},      {"F16", 1, 2},      {"BF16", 1, 2},     {"Q4_0", 32, 18},
      {"Q4_1", 32, 20},   {"Q5_0", 32, 22},   {"Q5_1", 32, 24},   {"Q8_0", 32, 34},
      {"Q4_K", 256, 144}, {"Q5_K", 256, 176}, {"Q6_K", 256, 210},
  };
  const auto index = static_cast<std::size_t>(dtype);
  assert(index < std::size(kTraits));
  return kTraits[index];
}

std::size_t row_bytes(DType dtype, std::int64_t columns) {
  const DTypeTraits& type = traits(dtype);
  assert(columns >= 0 && columns % type.block_elements == 0);
  return static_cast<std::size_t>(columns / type.block_elements) * static_cast<std::size_t>(type.block_bytes);
}

std::size_t stored_bytes(const MatrixView& matrix) {
  return row_bytes(matrix.dtype, matrix.columns) * static_cast<std::size_t>(matrix.rows);
}

}  // namespace parley::kernels::dtypes
