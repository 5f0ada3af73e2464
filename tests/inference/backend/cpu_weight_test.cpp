#include "inference/backend/cpu_weight.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

#include "kernels/cpu/linear.h"
#include "kernels/dtypes/dequantize.h"
#include "tests/kernels/cpu/stored_matrix.h"

namespace parley::inference::backend {
namespace {

using kernels::StoredMatrix;
using kernels::cpu::ComputePool;
using kernels::dtypes::DType;

// Whoever writes to the model file later must not change what the model says.
TEST(CpuWeight, ALinearLayerIsACopyAndGivesItsRowsBack) {
  for (const DType dtype : kernels::all_dtypes()) {
    StoredMatrix table(dtype, 21, 256, 1);
    const StoredMatrix original(dtype, 21, 256, 1);
    kernels::cpu::WeightArena arena;
    ComputePool pool(2);
    const WeightHandle weight =
        load_cpu_weight(LinearSource{.parts = {table.view}, .biases = {}}, arena, pool);
    std::fill(table.bytes.begin(), table.bytes.end(), std::byte{0xee});
    for (int row = 0; row < 21; ++row) {
      std::vector<float> expected(256), got(256);
      kernels::dtypes::dequantize_row(original.view, row, expected);
      static_cast<const CpuLinear&>(*weight).layer.unpack_row(row, got);
      EXPECT_EQ(got, expected);
    }
  }
}

TEST(CpuWeight, AVectorIsDecodedToF32) {
  for (const DType dtype : {DType::f32, DType::f16, DType::bf16}) {
    const StoredMatrix norm(dtype, 1, 48, 2);
    kernels::cpu::WeightArena arena;
    ComputePool pool(1);
    const WeightHandle weight = load_cpu_weight(VectorSource{norm.view}, arena, pool);
    std::vector<float> expected(48);
    kernels::dtypes::dequantize_row(norm.view, 0, expected);
    EXPECT_EQ(static_cast<const CpuVector&>(*weight).values, expected);
  }
}

// The identity as input reads the weights back, column by column.
TEST(CpuWeight, ALinearLayerIsPackedWholeByAnyNumberOfThreads) {
  constexpr int kInputs = 32;
  const StoredMatrix first(DType::f32, 37, kInputs, 3), second(DType::f16, 18, kInputs, 4);
  const std::vector<float> bias = kernels::random_floats(37, 5);
  const kernels::dtypes::MatrixView bias_view{DType::f32, 1, 37,
                                              reinterpret_cast<const std::byte*>(bias.data())};
  for (const int threads : {1, 2, 3, 7}) {
    kernels::cpu::WeightArena arena;
    ComputePool pool(threads);
    const WeightHandle weight = load_cpu_weight(
        LinearSource{.parts = {first.view, second.view}, .biases = {bias_view, {}}}, arena, pool);
    const kernels::cpu::PackedLinear& layer = static_cast<const CpuLinear&>(*weight).layer;
    ASSERT_EQ(layer.outputs(), 55);
    std::vector<float> identity(kInputs * kInputs), out(55 * kInputs);
    for (std::size_t i = 0; i < kInputs; ++i) identity[i * kInputs + i] = 1.0f;
    kernels::cpu::multiply(kernels::cpu::best_isa(), layer, {0, layer.num_panels()},
                           {.rows = kInputs, .values = identity.data(), .row_stride = kInputs},
                           {.values = out.data(), .row_stride = 55}, kernels::cpu::LinearScratch());
    std::vector<float> row(kInputs);
    for (std::size_t r = 0; r < 55; ++r) {
      kernels::dtypes::dequantize_row(r < 37 ? first.view : second.view,
                                      static_cast<std::int64_t>(r < 37 ? r : r - 37), row);
      for (std::size_t c = 0; c < kInputs; ++c)
        EXPECT_EQ(out[c * 55 + r], r < 37 ? row[c] + bias[r] : row[c]);
    }
  }
}

}  // namespace
}  // namespace parley::inference::backend
