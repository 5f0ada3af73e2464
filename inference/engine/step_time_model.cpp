#include "inference/engine/step_time_model.h"

#include <algorithm>

namespace parley::inference::engine {
namespace {

constexpr double kMemory =
    0.97;  // weight of a step relative to the next one of its kind: about 33 steps count
// Keeps the fit defined while features have not varied. What cannot be told apart yet is put down to tokens
// and rows rather than to the step itself: prefill is then thought too dear, which costs less than a stall.
constexpr std::array<double, 4> kRidge = {0.3, 1e-3, 1e-3, 1e-3};
constexpr double kOutlier = 4.0;  // a step is believed up to this multiple of its prediction ...
constexpr double kFloor = 1e-3;   // ... or of this, in seconds, so that a prediction of nothing can recover
constexpr int kTrustedSteps = 8;  // predictions are not used against measurements before
constexpr int kTile = 8;          // rows that the kernels of a CPU take at once

using Matrix = std::array<std::array<double, 4>, 4>;

// Solves m x = y over the terms that are `active`, by Gaussian elimination; m is symmetric positive definite.
std::array<double, 4> solve(Matrix m, std::array<double, 4> y, const std::array<bool, 4>& active) {
  for (std::size_t p = 0; p < 4; ++p) {
    if (!active[p]) continue;
    for (std::size_t row = p + 1; row < 4; ++row) {
      if (!active[row]) continue;
      const double factor = m[row][p] / m[p][p];
      for (std::size_t k = p; k < 4; ++k) m[row][k] -= factor * m[p][k];
      y[row] -= factor * y[p];
    }
  }
  std::array<double, 4> x{};
  for (std::size_t p = 4; p-- > 0;) {
    if (!active[p]) continue;
    double rest = y[p];
    for (std::size_t k = p + 1; k < 4; ++k) rest -= m[p][k] * x[k];
    x[p] = rest / m[p][p];
  }
  return x;
}

}  // namespace

// Scaled so that usual steps have features near 1 and one ridge fits all.
StepTimeModel::Vector StepTimeModel::features(const StepLoad& load) {
  return {1.0, load.prefill_tokens / 64.0, load.decode_rows / 8.0, load.attended_pairs / 65536.0};
}

double StepTimeModel::predict(const StepLoad& load) const {
  const Vector x = features(load);
  double seconds = 0.0;
  for (std::size_t i = 0; i < kTerms; ++i) seconds += coefficients_[i] * x[i];
  return seconds;
}

void StepTimeModel::observe(const StepLoad& load, double seconds) {
  Moments& moments = load.prefill_tokens > 0 ? with_prefill_ : without_prefill_;
  // A machine that stalled once is an outlier; one that became slower for good is followed within a few
  // steps.
  if (moments.num_steps >= kTrustedSteps) {
    seconds = std::min(seconds, kOutlier * std::max(predict(load), kFloor));
  }
  const Vector x = features(load);
  for (std::size_t i = 0; i < kTerms; ++i) {
    for (std::size_t j = 0; j < kTerms; ++j) {
      moments.products[i][j] = kMemory * moments.products[i][j] + x[i] * x[j];
    }
    moments.targets[i] = kMemory * moments.targets[i] + x[i] * seconds;
  }
  ++moments.num_steps;
  fit();
}

// Least squares with coefficients >= 0: terms that come out negative are left out, the worst first.
void StepTimeModel::fit() {
  Matrix products{};
  Vector targets{};
  for (std::size_t i = 0; i < kTerms; ++i) {
    for (std::size_t j = 0; j < kTerms; ++j) {
      products[i][j] = with_prefill_.products[i][j] + without_prefill_.products[i][j];
    }
    products[i][i] += kRidge[i];
    targets[i] = with_prefill_.targets[i] + without_prefill_.targets[i];
  }
  std::array<bool, kTerms> active;
  active.fill(true);
  for (int round = 0; round < kTerms; ++round) {
    coefficients_ = solve(products, targets, active);
    const auto worst = std::min_element(coefficients_.begin(), coefficients_.end());
    if (*worst >= 0.0) return;
    active[static_cast<std::size_t>(worst - coefficients_.begin())] = false;
  }
}

int StepTimeModel::largest_prefill(double seconds, int first, int limit) const {
  if (with_prefill_.num_steps == 0) return kTile;
  int tokens = kTile;
  while (tokens < limit) {
    const StepLoad added{tokens + kTile, 0, attended_pairs(first, tokens + kTile)};
    if (predict(added) - predict({}) > seconds) break;
    tokens += kTile;
  }
  return tokens;
}

}  // namespace parley::inference::engine
