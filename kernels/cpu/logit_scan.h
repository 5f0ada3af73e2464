#pragma once
// What the passes over logits take and give (FloatKernels). Plain data, any thread.

#include <cstdint>

namespace parley::kernels::cpu {

struct LogitScan {
  float highest = 0.0f;
  bool regular = true;  // no NaN, no infinity
};

// The indices i, begin <= i < end, of values above the threshold, in ascending order.
struct IndexScan {
  const float* values = nullptr;
  int begin = 0;
  int end = 0;
  float threshold = 0.0f;
  std::int32_t* ids = nullptr;  // [capacity]
  int capacity = 0;             // >= 16
};
struct IndexScanResult {
  int next = 0;  // where the scan stopped: the end, or where there might not be room for 16 more
  int found = 0;
};

// weights = exp((logits - highest) / temperature), and their sums by blocks of kWeightBlock.
inline constexpr int kWeightBlock = 256;
struct ExpWeights {
  float* weights = nullptr;       // [count], may be logits
  double* block_sums = nullptr;   // [ceil(count / kWeightBlock)]
  const float* logits = nullptr;  // [count]
  int count = 0;
  float highest = 0.0f;
  float temperature = 1.0f;
};

}  // namespace parley::kernels::cpu
