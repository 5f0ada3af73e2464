#include "inference/backend/cpu_weight.h"

#include <cassert>
#include <memory>

#include "kernels/dtypes/dequantize.h"

namespace parley::inference::backend {
namespace {

WeightHandle load_vector(const VectorSource& source) {
  assert(source.values.rows == 1);
  auto weight = std::make_unique<CpuVector>();
  weight->values.resize(static_cast<std::size_t>(source.values.columns));
  kernels::dtypes::dequantize_row(source.values, 0, weight->values);
  return weight;
}

WeightHandle load_linear(const LinearSource& source, kernels::cpu::WeightArena& arena,
                         kernels::cpu::ComputePool& pool) {
  auto weight = std::make_unique<CpuLinear>(kernels::cpu::PackedLinear(source.parts, source.biases, arena));
  kernels::cpu::PackedLinear& layer = weight->layer;
  auto pack = [&](int thread) { layer.pack(layer.share(thread, pool.num_threads())); };
  pool.run(pack);
  for (const kernels::dtypes::MatrixView& part : source.parts) kernels::cpu::drop_source_pages(part);
  return weight;
}

}  // namespace

WeightHandle load_cpu_weight(const WeightSource& source, kernels::cpu::WeightArena& arena,
                             kernels::cpu::ComputePool& pool) {
  if (const auto* vector = std::get_if<VectorSource>(&source)) return load_vector(*vector);
  return load_linear(std::get<LinearSource>(source), arena, pool);
}

}  // namespace parley::inference::backend
