#pragma once
// Passes over a row of logits. Included after the primitives, tail16.h and exp16.h. Pure, any thread; nothing
// fails.

namespace {

inline LogitScan scan_logits_row(const float* logits, int count) {
  const float lowest = -__builtin_inff();
  const F32x16 infinity = broadcast16(__builtin_inff());
  F32x16 best = broadcast16(lowest);
  std::uint32_t finite = 0xffffu;
  for_each16(count, [&](int i, int lanes) {
    const F32x16 x = load_lanes16(logits + i, lanes, logits[0]);
    best = max16(best, x);
    finite &= greater_mask16(infinity, abs16(x));
  });
  return {max_lane16(best), finite == 0xffffu};
}

inline void exp_weights_row(const ExpWeights& work) {
  const F32x16 highest = broadcast16(work.highest);
  const F32x16 temperature = broadcast16(work.temperature);
  for (int begin = 0; begin < work.count; begin += kWeightBlock) {
    const int count = work.count - begin < kWeightBlock ? work.count - begin : kWeightBlock;
    F32x16 sum = zero16();
    for_each16(count, [&](int i, int lanes) {
      const F32x16 x = load_lanes16(work.logits + begin + i, lanes, -__builtin_inff());
      const F32x16 weight = exp16((x - highest) / temperature);
      store_lanes16(work.weights + begin + i, lanes, weight);
      sum = sum + weight;
    });
    work.block_sums[begin / kWeightBlock] = static_cast<double>(sum16(sum));
  }
}

inline IndexScanResult find_above_threshold(const IndexScan& scan) {
  const F32x16 threshold = broadcast16(scan.threshold);
  IndexScanResult result{scan.begin, 0};
  while (result.next < scan.end && result.found + 16 <= scan.capacity) {
    const int lanes = scan.end - result.next < 16 ? scan.end - result.next : 16;
    const F32x16 x = load_lanes16(scan.values + result.next, lanes, -__builtin_inff());
    for (std::uint32_t mask = greater_mask16(x, threshold); mask != 0; mask &= mask - 1) {
      scan.ids[result.found++] = result.next + __builtin_ctz(mask);
    }
    result.next += lanes;
  }
  return result;
}

}  // namespace
