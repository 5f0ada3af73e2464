#include "inference/backend/reference_weight.h"

#include <cassert>
#include <cstdint>

#include "kernels/dtypes/dequantize.h"

namespace parley::inference::backend {
namespace {

using kernels::dtypes::MatrixView;

void append(const MatrixView& source, std::vector<float>& values) {
  const auto columns = static_cast<std::size_t>(source.columns);
  for (std::int64_t row = 0; row < source.rows; ++row) {
    values.resize(values.size() + columns);
    kernels::dtypes::dequantize_row(source, row, std::span(values).last(columns));
  }
}

WeightHandle load_vector(const MatrixView& values) {
  auto weight = std::make_unique<ReferenceWeight>();
  weight->matrix.columns = static_cast<std::size_t>(values.columns);
  append(values, weight->matrix.values);
  return weight;
}

WeightHandle load_linear(const LinearSource& source) {
  assert(!source.parts.empty() && (source.biases.empty() || source.biases.size() == source.parts.size()));
  auto weight = std::make_unique<ReferenceWeight>();
  weight->matrix.columns = static_cast<std::size_t>(source.parts.front().columns);
  std::size_t rows = 0;
  for (const MatrixView& part : source.parts) rows += static_cast<std::size_t>(part.rows);
  weight->matrix.values.reserve(rows * weight->matrix.columns);
  for (const MatrixView& part : source.parts) append(part, weight->matrix.values);
  for (const MatrixView& bias : source.biases) append(bias, weight->biases);
  return weight;
}

}  // namespace

WeightHandle load_reference_weight(const WeightSource& source) {
  if (const auto* linear = std::get_if<LinearSource>(&source)) return load_linear(*linear);
  return load_vector(std::get<VectorSource>(source).values);
}

std::vector<float> multiply(const ReferenceWeight& weight, std::span<const float> x) {
  assert(x.size() == weight.matrix.columns);
  std::vector<float> y;
  y.reserve(weight.matrix.rows());
  for (std::size_t r = 0; r < weight.matrix.rows(); ++r) {
    const std::span<const float> w = weight.matrix.row(r);
    double sum = weight.biases.empty() ? 0.0 : weight.biases[r];
    for (std::size_t c = 0; c < x.size(); ++c) sum += static_cast<double>(w[c]) * x[c];
    y.push_back(static_cast<float>(sum));
  }
  return y;
}

}  // namespace parley::inference::backend
