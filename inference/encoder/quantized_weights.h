#pragma once
// Weights as Q8_0, 32 int8 values and an f16 scale a block, from any stored type: what the products read
// eight bits of. Off by half a step of max / 127 at most. Owns its bytes; immutable, any thread.

#include <cstddef>
#include <vector>

#include "kernels/dtypes/dtype.h"

namespace parley::inference::encoder {

class QuantizedMatrix {
 public:
  // A multiple of 32 columns. A matrix that is quantised already is copied as it is.
  explicit QuantizedMatrix(const kernels::dtypes::MatrixView& source);
  kernels::dtypes::MatrixView view() const;

 private:
  kernels::dtypes::MatrixView shape_;
  std::vector<std::byte> bytes_;
};

}  // namespace parley::inference::encoder
