#include "inference/encoder/pooling.h"

#include <algorithm>
#include <cmath>
#include <vector>

namespace parley::inference::encoder {
namespace {

void take_mean(std::span<const float> tokens, std::span<float> out) {
  const std::size_t dim = out.size(), count = tokens.size() / dim;
  std::vector<double> sums(dim, 0.0);
  for (std::size_t token = 0; token < count; ++token) {
    for (std::size_t i = 0; i < dim; ++i) sums[i] += tokens[token * dim + i];
  }
  for (std::size_t i = 0; i < dim; ++i) out[i] = static_cast<float>(sums[i] / static_cast<double>(count));
}

}  // namespace

void pool_tokens(std::span<const float> tokens, Pooling pooling, bool normalise, std::span<float> out) {
  switch (pooling) {
    case Pooling::mean:
      take_mean(tokens, out);
      break;
    case Pooling::first:
      std::copy_n(tokens.begin(), out.size(), out.begin());
      break;
    case Pooling::last:
      std::copy(tokens.end() - static_cast<std::ptrdiff_t>(out.size()), tokens.end(), out.begin());
      break;
  }
  if (!normalise) return;
  double squares = 0.0;
  for (const float value : out) squares += static_cast<double>(value) * value;
  if (squares == 0.0) return;
  const double scale = 1.0 / std::sqrt(squares);
  for (float& value : out) value = static_cast<float>(value * scale);
}

}  // namespace parley::inference::encoder
