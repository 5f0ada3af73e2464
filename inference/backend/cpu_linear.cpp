#include "inference/backend/cpu_linear.h"

#include <cassert>

namespace parley::inference::backend {
namespace {

using kernels::cpu::WorkRange;

constexpr int kOwnRows = 2;  // rows up to which every thread prepares them for itself

}  // namespace

CpuLinearStage::CpuLinearStage(kernels::cpu::Isa isa, kernels::cpu::ComputePool& pool, int max_rows,
                               int max_columns)
    : isa_(isa), kernels_(kernels::cpu::float_kernels(isa)), pool_(pool) {
  const int columns_padded = (max_columns + 31) / 32 * 32;
  const std::size_t columns = static_cast<std::size_t>(columns_padded);
  const std::size_t shared_floats = static_cast<std::size_t>(max_rows) * columns;
  const std::size_t own_floats = kOwnRows * columns;
  const std::size_t num_threads = static_cast<std::size_t>(pool.num_threads());
  normed_ = kernels::cpu::HugeBuffer((shared_floats + num_threads * own_floats) * sizeof(float));
  shared_ = {normed_.as<float>(), kernels::cpu::QuantizedRows(max_rows, columns_padded)};
  for (std::size_t i = 0; i < num_threads; ++i) {
    float* normed = normed_.as<float>() + shared_floats + i * own_floats;
    threads_.push_back({{normed, kernels::cpu::QuantizedRows(kOwnRows, columns_padded)},
                        kernels::cpu::LinearScratch(max_columns)});
  }
}

void CpuLinearStage::run(const kernels::cpu::PackedLinear& layer, const LinearRows& rows,
                         const kernels::cpu::LinearOutput& output) {
  const bool shared = rows.rows > kOwnRows;
  if (shared && layer.reads_quantized()) shared_.quantized.reshape(rows.rows, layer.columns());
  auto job = [&](int thread) {
    Thread& own = threads_[static_cast<std::size_t>(thread)];
    Prepared& prepared = shared ? shared_ : own.own;
    if (shared) {
      prepare(layer, rows, kernels::cpu::split_work(rows.rows, pool_.num_threads(), thread), prepared);
      pool_.barrier(thread);
    } else {
      if (layer.reads_quantized()) prepared.quantized.reshape(rows.rows, layer.columns());
      prepare(layer, rows, {0, rows.rows}, prepared);
    }
    const kernels::cpu::LinearInput input{.rows = rows.rows,
                                          .quantized = &prepared.quantized,
                                          .values = rows.norm != nullptr ? prepared.normed : rows.values,
                                          .row_stride = static_cast<std::size_t>(layer.columns())};
    kernels::cpu::multiply(isa_, layer, layer.share(thread, pool_.num_threads()), input, output, own.scratch);
  };
  pool_.run(job);
}

void CpuLinearStage::prepare(const kernels::cpu::PackedLinear& layer, const LinearRows& rows, WorkRange range,
                             Prepared& out) const {
  const std::size_t columns = static_cast<std::size_t>(layer.columns());
  assert(rows.row_ids == nullptr || rows.norm != nullptr);
  // Row by row, so that a normalised row is quantised while it is in the nearest cache.
  for (int i = range.begin; i < range.end; ++i) {
    if (rows.norm != nullptr) {
      const auto source = static_cast<std::size_t>(rows.row_ids != nullptr ? rows.row_ids[i] : i);
      kernels_.rms_norm(out.normed + static_cast<std::size_t>(i) * columns, rows.values + source * columns,
                        rows.norm, layer.columns(), rows.norm_epsilon);
    }
    const float* values = rows.norm != nullptr ? out.normed : rows.values;
    if (layer.reads_quantized()) out.quantized.quantize(isa_, values, columns, i, i + 1);
  }
}

}  // namespace parley::inference::backend
