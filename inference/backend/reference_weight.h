#pragma once
// Weights of the reference backend: decoded to f32 once, four bytes a value, in plain row-major order.
// Immutable after loading, any thread. Sizes that do not fit are assertions.

#include <cstddef>
#include <span>
#include <vector>

#include "inference/backend/backend.h"

namespace parley::inference::backend {

// A row-major matrix f32.
struct FloatMatrix {
  std::size_t columns = 0;
  std::vector<float> values;  // [rows, columns]

  std::size_t rows() const { return values.size() / columns; }
  std::span<float> row(std::size_t index) { return std::span(values).subspan(index * columns, columns); }
  std::span<const float> row(std::size_t index) const {
    return std::span(values).subspan(index * columns, columns);
  }
};

struct ReferenceWeight final : Weight {
  FloatMatrix matrix;         // of a linear layer; a norm is one row
  std::vector<float> biases;  // [rows of matrix], or empty
};

WeightHandle load_reference_weight(const WeightSource& source);

// y[r] = sum over c of weight[r][c] * x[c], + bias[r], accumulated in float64.
std::vector<float> multiply(const ReferenceWeight& weight, std::span<const float> x);

}  // namespace parley::inference::backend
