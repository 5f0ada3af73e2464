#include "inference/backend/cpu_linear_stage.h"

#include <gtest/gtest.h>

#include <cstring>
#include <vector>

#include "tests/kernels/cpu/stored_matrix.h"

namespace parley::inference::backend {
namespace {

using kernels::StoredMatrix;
using kernels::cpu::ComputePool;
using kernels::cpu::Isa;
using kernels::cpu::LinearOutput;
using kernels::cpu::PackedLinear;
using kernels::dtypes::DType;
using Form = LinearRows::Form;

constexpr int kColumns = 256;
constexpr int kMaxRows = 40;

// A stack of a quantised and a float matrix: both forms of the input are needed.
struct Layer {
  StoredMatrix quantised{DType::q8_0, 150, kColumns, 1};
  StoredMatrix floats{DType::f16, 33, kColumns, 2};
  kernels::cpu::WeightArena arena;
  PackedLinear packed;

  Layer() : packed(std::vector{quantised.view, floats.view}, {}, arena) {
    packed.pack({0, packed.num_panels()});
  }
};

struct Stage {
  ComputePool pool;
  CpuLinearStage stage;
  Stage(int num_threads, Isa isa) : pool(num_threads), stage(isa, pool, kMaxRows, kColumns) {}

  std::vector<float> run(const PackedLinear& layer, const LinearRows& rows) {
    const auto outputs = static_cast<std::size_t>(layer.outputs());
    std::vector<float> out(static_cast<std::size_t>(rows.rows) * outputs, -1.0f);
    stage.run(layer, rows, {.values = out.data(), .row_stride = outputs});
    return out;
  }
};

// The rows as a stage of form `plain` would have to be given them.
std::vector<float> made_ready(const LinearRows& rows, const kernels::cpu::FloatKernels& kernels) {
  std::vector<float> ready(static_cast<std::size_t>(rows.rows) * kColumns);
  for (int row = 0; row < rows.rows; ++row) {
    const int source = rows.row_ids != nullptr ? rows.row_ids[row] : row;
    const std::ptrdiff_t width = rows.form == Form::gated ? 2 * kColumns : kColumns;
    const float* values = rows.values + source * width;
    float* out = ready.data() + static_cast<std::ptrdiff_t>(row) * kColumns;
    if (rows.form == Form::gated) {
      kernels.swiglu(out, values, values + kColumns, kColumns);
    } else if (rows.form == Form::normed) {
      kernels.rms_norm(out, values, rows.norm, kColumns, rows.norm_epsilon);
    } else {
      std::memcpy(out, values, kColumns * sizeof(float));
    }
  }
  return ready;
}

TEST(CpuLinearStage, NormAndGateAreThoseOfTheKernelsForAnyNumberOfRowsAndThreads) {
  const Layer layer;
  const Isa isa = kernels::cpu::best_isa();
  const std::vector<float> norm = kernels::random_floats(kColumns, 3);
  for (const int threads : {1, 2, 3}) {
    Stage stage(threads, isa);
    for (const int rows : {1, 2, 3, 8, 9, 33}) {
      const std::vector<float> values =
          kernels::random_floats(static_cast<std::size_t>(rows) * 2 * kColumns, 4);
      for (const Form form : {Form::plain, Form::normed, Form::gated}) {
        const LinearRows given{
            .form = form, .values = values.data(), .rows = rows, .norm = norm.data(), .norm_epsilon = 1e-5f};
        const std::vector<float> ready = made_ready(given, kernels::cpu::float_kernels(isa));
        const std::vector<float> out = stage.run(layer.packed, given);
        Stage plain(1, isa);
        EXPECT_TRUE(kernels::same_bits(out, plain.run(layer.packed, {.values = ready.data(), .rows = rows})))
            << rows << " rows, " << threads << " threads, form " << static_cast<int>(form);
      }
    }
  }
}

TEST(CpuLinearStage, RowIdsPickRows) {
  const Layer layer;
  Stage stage(2, kernels::cpu::best_isa());
  const std::vector<float> values = kernels::random_floats(6 * kColumns, 5);
  const std::vector<float> norm(kColumns, 1.0f);
  const std::vector<std::int32_t> ids = {5, 0, 3};
  LinearRows rows{.form = Form::normed, .values = values.data(), .rows = 6, .norm = norm.data()};
  const std::vector<float> all = stage.run(layer.packed, rows);
  rows.rows = 3;
  rows.row_ids = ids.data();
  const std::vector<float> picked = stage.run(layer.packed, rows);
  const auto outputs = static_cast<std::size_t>(layer.packed.outputs());
  for (std::size_t i = 0; i < ids.size(); ++i) {
    EXPECT_EQ(std::memcmp(picked.data() + i * outputs,
                          all.data() + static_cast<std::size_t>(ids[i]) * outputs, outputs * sizeof(float)),
              0);
  }
}

TEST(CpuLinearStage, AddsToWhatIsThere) {
  const Layer layer;
  Stage stage(2, kernels::cpu::best_isa());
  const std::vector<float> values = kernels::random_floats(kColumns, 6);
  const LinearRows rows{.values = values.data(), .rows = 1};
  const std::vector<float> product = stage.run(layer.packed, rows);
  std::vector<float> sum(product.size(), 2.0f);
  stage.stage.run(layer.packed, rows,
                  {.values = sum.data(), .row_stride = sum.size(), .store = kernels::cpu::Store::add});
  for (std::size_t i = 0; i < sum.size(); ++i) EXPECT_EQ(sum[i], 2.0f + product[i]);
}

}  // namespace
}  // namespace parley::inference::backend
