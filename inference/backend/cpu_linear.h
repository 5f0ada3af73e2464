#pragma once
// One linear stage over all threads: rows are normalised and quantised once, then every thread multiplies its
// own panels. With one or two rows each thread prepares them for itself, which is cheaper than waiting for
// another; with more, the rows are shared out and the threads meet once. Called by the engine's thread;
// memory is sized at construction (throws std::bad_alloc).

#include <cstddef>
#include <cstdint>
#include <vector>

#include "kernels/cpu/compute_pool.h"
#include "kernels/cpu/float_kernels.h"
#include "kernels/cpu/huge_buffer.h"
#include "kernels/cpu/isa.h"
#include "kernels/cpu/linear.h"

namespace parley::inference::backend {

struct LinearRows {
  const float* values = nullptr;  // [rows, columns of the layer]
  int rows = 0;
  const std::int32_t* row_ids = nullptr;  // [rows] which rows of `values`; null: the first ones. Needs a norm
  const float* norm = nullptr;            // [columns]; null: as they are
  float norm_epsilon = 0.0f;
};

class CpuLinearStage {
 public:
  CpuLinearStage(kernels::cpu::Isa isa, kernels::cpu::ComputePool& pool, int max_rows, int max_columns);

  // output = layer(rows), or output += layer(rows).
  void run(const kernels::cpu::PackedLinear& layer, const LinearRows& rows,
           const kernels::cpu::LinearOutput& output);

 private:
  // Rows as the products read them.
  struct Prepared {
    float* normed = nullptr;  // [rows, columns]
    kernels::cpu::QuantizedRows quantized;
  };
  struct Thread {
    Prepared own;
    kernels::cpu::LinearScratch scratch;
  };

  void prepare(const kernels::cpu::PackedLinear& layer, const LinearRows& rows, kernels::cpu::WorkRange range,
               Prepared& out) const;

  const kernels::cpu::Isa isa_;
  const kernels::cpu::FloatKernels& kernels_;
  kernels::cpu::ComputePool& pool_;
  kernels::cpu::HugeBuffer normed_;  // of `shared_`, then of each thread
  Prepared shared_;
  std::vector<Thread> threads_;
};

}  // namespace parley::inference::backend
