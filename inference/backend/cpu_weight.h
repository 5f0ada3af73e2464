#pragma once
// Weights of the CPU backend, all of them copies: linear layers packed once by all threads, norms as f32.
// Immutable after loading, any thread. Throws std::bad_alloc when memory cannot be had.

#include <vector>

#include "inference/backend/backend.h"
#include "kernels/cpu/compute_pool.h"
#include "kernels/cpu/packed_linear.h"

namespace parley::inference::backend {

struct CpuVector final : Weight {
  std::vector<float> values;
};

struct CpuLinear final : Weight {
  explicit CpuLinear(kernels::cpu::PackedLinear layer_in) : layer(std::move(layer_in)) {}
  kernels::cpu::PackedLinear layer;
};

// Packed bytes come from `arena`, which must outlive the weight; nothing points to the source afterwards.
// File pages that were read leave the resident memory.
WeightHandle load_cpu_weight(const WeightSource& source, kernels::cpu::WeightArena& arena,
                             kernels::cpu::ComputePool& pool);

}  // namespace parley::inference::backend
