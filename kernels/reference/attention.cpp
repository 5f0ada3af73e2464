#include "kernels/reference/attention.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <vector>

namespace parley::kernels::reference {

void attention(std::span<float> out, const AttentionInput& input) {
  const std::size_t head_dim = input.query.size();
  assert(out.size() == head_dim && input.num_keys >= 1);
  const double scale = 1.0 / std::sqrt(static_cast<double>(head_dim));
  std::vector<double> weights(input.num_keys);
  for (std::size_t key = 0; key < input.num_keys; ++key) {
    double dot = 0.0;
    for (std::size_t d = 0; d < head_dim; ++d) {
      dot += static_cast<double>(input.query[d]) * input.keys[key * input.stride + d];
    }
    weights[key] = dot * scale;
  }
  const double best = *std::max_element(weights.begin(), weights.end());
  double total = 0.0;
  for (double& weight : weights) total += weight = std::exp(weight - best);
  for (std::size_t d = 0; d < head_dim; ++d) {
    double sum = 0.0;
    for (std::size_t key = 0; key < input.num_keys; ++key) {
      sum += weights[key] * input.values[key * input.stride + d];
    }
    out[d] = static_cast<float>(sum / total);
  }
}

}  // namespace parley::kernels::reference
