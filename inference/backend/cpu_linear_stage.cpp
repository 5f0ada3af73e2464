#include "inference/backend/cpu_linear_stage.h"

#include <algorithm>
#include <cstring>

namespace parley::inference::backend {
namespace {

using kernels::cpu::LinearInput;
using kernels::cpu::LinearOutput;
using kernels::cpu::PackedLinear;
using kernels::cpu::PanelRange;
using kernels::cpu::WorkRange;

constexpr int kOwnRows = 2;          // rows up to which every thread makes them ready for itself
constexpr int kChunksPerShare = 16;  // what other threads may take over
constexpr std::size_t kChunkBytes = std::size_t{64} << 10;  // but not less than this of the weights
constexpr int kPanelGroup = 4;  // products of many rows unpack a few panels together

}  // namespace

CpuLinearStage::CpuLinearStage(kernels::cpu::Isa isa, kernels::cpu::ComputePool& pool, int max_rows,
                               int max_columns)
    : isa_(isa), kernels_(kernels::cpu::float_kernels(isa)), pool_(pool), panels_(pool.num_threads()) {
  const int columns_padded = (max_columns + 31) / 32 * 32;
  const std::size_t columns = static_cast<std::size_t>(columns_padded);
  const std::size_t shared_floats = static_cast<std::size_t>(max_rows) * columns;
  const std::size_t own_floats = (kOwnRows + 1) * columns;
  const std::size_t num_threads = static_cast<std::size_t>(pool.num_threads());
  floats_ = kernels::cpu::HugeBuffer((shared_floats + num_threads * own_floats) * sizeof(float));
  shared_ = {floats_.as<float>(), kernels::cpu::QuantizedRows(max_rows, columns_padded)};
  for (std::size_t i = 0; i < num_threads; ++i) {
    float* own = floats_.as<float>() + shared_floats + i * own_floats;
    threads_.push_back({.own = {own, kernels::cpu::QuantizedRows(kOwnRows, columns_padded)},
                        .row = own + kOwnRows * columns,
                        .scratch = {}});
  }
}

void CpuLinearStage::run(const PackedLinear& layer, const LinearRows& rows, const LinearOutput& output) {
  const bool shared = rows.rows > kOwnRows;
  if (shared && layer.reads_quantized()) shared_.quantized.reshape(rows.rows, layer.columns());
  share_panels(layer);
  auto job = [&](int thread_index) {
    Thread& thread = threads_[static_cast<std::size_t>(thread_index)];
    Ready& ready = shared ? shared_ : thread.own;
    if (shared) {
      make_ready(layer, rows, kernels::cpu::split_work(rows.rows, pool_.num_threads(), thread_index),
                 thread.row, ready);
      pool_.barrier(thread_index);
    } else {
      if (layer.reads_quantized()) ready.quantized.reshape(rows.rows, layer.columns());
      make_ready(layer, rows, {0, rows.rows}, thread.row, ready);
    }
    multiply(layer, thread_index,
             {.rows = rows.rows,
              .quantized = &ready.quantized,
              .values = ready.floats,
              .row_stride = static_cast<std::size_t>(layer.columns())},
             output);
  };
  pool_.run(job);
}

void CpuLinearStage::share_panels(const PackedLinear& layer) {
  const int num_threads = pool_.num_threads();
  const std::size_t panel_bytes = layer.bytes() / static_cast<std::size_t>(layer.num_panels());
  const int least = static_cast<int>(kChunkBytes / (panel_bytes + 1)) + 1;
  const int usual = layer.num_panels() / (num_threads * kChunksPerShare);
  const int chunk = (std::max(least, usual) + kPanelGroup - 1) / kPanelGroup * kPanelGroup;
  for (int i = 0; i < num_threads; ++i) {
    const PanelRange share = layer.share(i, num_threads);
    panels_.assign(i, {share.first, share.last}, chunk);
  }
}

void CpuLinearStage::multiply(const PackedLinear& layer, int thread_index, const LinearInput& input,
                              const LinearOutput& output) {
  const kernels::cpu::LinearScratch& scratch = threads_[static_cast<std::size_t>(thread_index)].scratch;
  for (WorkRange range = panels_.take(thread_index); range.begin < range.end;
       range = panels_.take(thread_index)) {
    kernels::cpu::multiply(isa_, layer, {range.begin, range.end}, input, output, scratch);
  }
}

// The row in f32: where it is, or made in `memory`.
const float* CpuLinearStage::source_row(const PackedLinear& layer, const LinearRows& rows, int row,
                                        float* memory) const {
  const std::size_t columns = static_cast<std::size_t>(layer.columns());
  const auto source = static_cast<std::size_t>(rows.row_ids != nullptr ? rows.row_ids[row] : row);
  if (rows.form == LinearRows::Form::gated) {
    const float* gate = rows.values + source * 2 * columns;
    kernels_.swiglu(memory, gate, gate + columns, layer.columns());
    return memory;
  }
  const float* values = rows.values + source * columns;
  if (rows.form == LinearRows::Form::plain) return values;
  kernels_.rms_norm(memory, values, rows.norm, layer.columns(), rows.norm_epsilon);
  return memory;
}

void CpuLinearStage::make_ready(const PackedLinear& layer, const LinearRows& rows, WorkRange range,
                                float* row_memory, Ready& out) const {
  const std::size_t columns = static_cast<std::size_t>(layer.columns());
  for (int row = range.begin; row < range.end; ++row) {
    const float* values = source_row(layer, rows, row, row_memory);
    constexpr std::size_t kOneRow = 0;  // stride: `values` is that row, whatever its index
    if (layer.reads_quantized()) out.quantized.quantize(isa_, values, kOneRow, row, row + 1);
    if (layer.reads_float()) {
      std::memcpy(out.floats + static_cast<std::size_t>(row) * columns, values, columns * sizeof(float));
    }
  }
}

}  // namespace parley::inference::backend
