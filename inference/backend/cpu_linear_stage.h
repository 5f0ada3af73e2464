#pragma once
// One linear stage over all threads: rows are made ready once (norm or gate, quantised), then the threads
// multiply panels. With one or two rows each thread makes them ready for itself, which is cheaper than
// waiting for another; with more, the rows are shared out and the threads meet once. Called by the engine's
// thread; memory is sized at construction (throws std::bad_alloc).

#include <cstdint>
#include <vector>

#include "kernels/cpu/compute_pool.h"
#include "kernels/cpu/float_kernels.h"
#include "kernels/cpu/huge_buffer.h"
#include "kernels/cpu/isa.h"
#include "kernels/cpu/linear.h"
#include "kernels/cpu/work_shares.h"

namespace parley::inference::backend {

// What a layer is to be multiplied with, by rows of `columns` values, the inputs of the layer.
struct LinearRows {
  enum class Form : std::uint8_t {
    plain,   // values [rows, columns]
    normed,  // rms_norm of values [rows, columns]
    gated,   // swiglu of values [rows, gate columns then up columns]
  };
  Form form = Form::plain;
  const float* values = nullptr;
  int rows = 0;
  const std::int32_t* row_ids = nullptr;  // [rows] which rows of `values`; null: the first ones
  const float* norm = nullptr;            // [columns], when normed
  float norm_epsilon = 0.0f;
};

class CpuLinearStage {
 public:
  CpuLinearStage(kernels::cpu::Isa isa, kernels::cpu::ComputePool& pool, int max_rows, int max_columns);

  // output = layer(rows), or output += layer(rows).
  void run(const kernels::cpu::PackedLinear& layer, const LinearRows& rows,
           const kernels::cpu::LinearOutput& output);

 private:
  // Rows as the products read them; which form is filled depends on the layer.
  struct Ready {
    float* floats = nullptr;  // [rows, columns]
    kernels::cpu::QuantizedRows quantized;
  };
  struct Thread {
    Ready own;
    float* row = nullptr;  // [columns], on its way to be quantised
    kernels::cpu::LinearScratch scratch;
  };

  void make_ready(const kernels::cpu::PackedLinear& layer, const LinearRows& rows,
                  kernels::cpu::WorkRange range, float* row_memory, Ready& out) const;
  const float* source_row(const kernels::cpu::PackedLinear& layer, const LinearRows& rows, int row,
                          float* memory) const;
  void share_panels(const kernels::cpu::PackedLinear& layer);
  void multiply(const kernels::cpu::PackedLinear& layer, int thread_index,
                const kernels::cpu::LinearInput& input, const kernels::cpu::LinearOutput& output);

  const kernels::cpu::Isa isa_;
  const kernels::cpu::FloatKernels& kernels_;
  kernels::cpu::ComputePool& pool_;
  kernels::cpu::WorkShares panels_;
  kernels::cpu::HugeBuffer floats_;  // of shared_, then of each thread
  Ready shared_;
  std::vector<Thread> threads_;
};

}  // namespace parley::inference::backend
