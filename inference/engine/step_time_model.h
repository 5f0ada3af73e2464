#pragma once
// Predicts how long a step takes from what is in it, and so how much prefill fits beside running streams.
// Linear: seconds = a + b * prefill tokens + c * decode rows + d * attended pairs, coefficients >= 0, fitted
// to the last steps by exponentially weighted least squares. Steps with and without prefill are remembered
// apart, so that an hour of pure decoding does not wash out what prefill costs.
//
// Lives on the engine thread. Cannot fail. About a microsecond a call.

#include <array>

namespace parley::inference::engine {

struct StepLoad {
  int prefill_tokens = 0;
  int decode_rows = 0;
  double attended_pairs = 0.0;  // (row, visible position) pairs
};

// Pairs of `num_tokens` consecutive rows that start at position `first`.
constexpr double attended_pairs(int first, int num_tokens) {
  return static_cast<double>(num_tokens) * first + 0.5 * num_tokens * (num_tokens + 1.0);
}

class StepTimeModel {
 public:
  void observe(const StepLoad& load, double seconds);
  double predict(const StepLoad& load) const;

  // The largest multiple of 8 prefill tokens, starting at position `first`, predicted to add at most
  // `seconds` to a step; at least 8, at most `limit` rounded up to 8. Exactly 8 as long as no prefill was
  // seen.
  int largest_prefill(double seconds, int first, int limit) const;

 private:
  static constexpr int kTerms = 4;
  using Vector = std::array<double, kTerms>;
  struct Moments {
    std::array<Vector, kTerms> products{};  // weighted sums of x x^T
    Vector targets{};                       // weighted sums of x t
    int num_steps = 0;
  };

  static Vector features(const StepLoad& load);
  void fit();

  Moments with_prefill_;
  Moments without_prefill_;
  Vector coefficients_{};
};

}  // namespace parley::inference::engine
