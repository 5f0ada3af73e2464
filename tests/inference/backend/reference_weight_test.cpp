#include "inference/backend/reference_weight.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <vector>

#include "kernels/dtypes/dequantize.h"
#include "tests/kernels/cpu/stored_matrix.h"

namespace parley::inference::backend {
namespace {

using kernels::StoredMatrix;
using kernels::dtypes::DType;
using kernels::dtypes::MatrixView;

MatrixView view_of(const std::vector<float>& values, std::int64_t rows) {
  return {.dtype = DType::f32,
          .rows = rows,
          .columns = static_cast<std::int64_t>(values.size()) / rows,
          .data = reinterpret_cast<const std::byte*>(values.data())};
}

const ReferenceWeight& loaded(const WeightHandle& weight) {
  return static_cast<const ReferenceWeight&>(*weight);
}

TEST(ReferenceWeight, stacks_parts_of_any_type_in_order_as_f32) {
  for (const DType dtype : kernels::all_dtypes()) {
    const StoredMatrix first(dtype, 3, 256, 1), second(DType::f16, 2, 256, 2);
    const WeightHandle weight =
        load_reference_weight(LinearSource{.parts = {first.view, second.view}, .biases = {}});
    const FloatMatrix& matrix = loaded(weight).matrix;
    ASSERT_EQ(matrix.rows(), 5u);
    ASSERT_EQ(matrix.columns, 256u);
    std::vector<float> row(256);
    for (std::size_t r = 0; r < 5; ++r) {
      kernels::dtypes::dequantize_row(r < 3 ? first.view : second.view,
                                      static_cast<std::int64_t>(r < 3 ? r : r - 3), row);
      EXPECT_EQ(std::vector<float>(matrix.row(r).begin(), matrix.row(r).end()), row) << "row " << r;
    }
    EXPECT_TRUE(loaded(weight).biases.empty());
  }
}

TEST(ReferenceWeight, joins_the_biases_of_the_parts) {
  const std::vector<float> a = {1, 2}, b = {3, 4, 5, 6}, a_bias = {10}, b_bias = {20, 30};
  const WeightHandle weight = load_reference_weight(LinearSource{
      .parts = {view_of(a, 1), view_of(b, 2)}, .biases = {view_of(a_bias, 1), view_of(b_bias, 1)}});
  EXPECT_EQ(loaded(weight).biases, (std::vector<float>{10, 20, 30}));
}

TEST(ReferenceWeight, a_norm_is_one_row) {
  const std::vector<float> norm = {0.5F, -1, 2};
  const WeightHandle weight = load_reference_weight(VectorSource{view_of(norm, 1)});
  EXPECT_EQ(loaded(weight).matrix.rows(), 1u);
  EXPECT_EQ(loaded(weight).matrix.values, norm);
}

TEST(ReferenceWeight, needs_its_source_no_more_once_loaded) {
  std::vector<float> values = {1, 2, 3, 4};
  const WeightHandle weight =
      load_reference_weight(LinearSource{.parts = {view_of(values, 2)}, .biases = {}});
  values.assign(4, 0);
  EXPECT_EQ(loaded(weight).matrix.values, (std::vector<float>{1, 2, 3, 4}));
}

TEST(ReferenceWeight, multiplies_rows_with_the_vector_and_adds_biases) {
  const std::vector<float> values = {1, 2, 3, -1, 0, 4}, bias = {100, -100};
  const WeightHandle plain = load_reference_weight(LinearSource{.parts = {view_of(values, 2)}, .biases = {}});
  const WeightHandle biased =
      load_reference_weight(LinearSource{.parts = {view_of(values, 2)}, .biases = {view_of(bias, 1)}});
  const std::vector<float> x = {1, 10, 100};
  EXPECT_EQ(multiply(loaded(plain), x), (std::vector<float>{321, 399}));
  EXPECT_EQ(multiply(loaded(biased), x), (std::vector<float>{421, 299}));
}

// Summed in f32, the ones would be lost beside 2^24; so would a bias that is added first.
TEST(ReferenceWeight, accumulates_in_double_precision) {
  const std::vector<float> values = {0x1p24F, 1, 1, -0x1p24F}, bias = {0x1p-20F};
  const WeightHandle weight =
      load_reference_weight(LinearSource{.parts = {view_of(values, 1)}, .biases = {view_of(bias, 1)}});
  const std::vector<float> ones(4, 1);
  EXPECT_EQ(multiply(loaded(weight), ones), (std::vector<float>{2 + 0x1p-20F}));
  const std::vector<float> cancelling = {1, 0, 0, 1};
  EXPECT_EQ(multiply(loaded(weight), cancelling), (std::vector<float>{0x1p-20F}));
}

TEST(ReferenceWeight, passes_on_what_is_not_finite) {
  const std::vector<float> values = {1, 1};
  const WeightHandle weight =
      load_reference_weight(LinearSource{.parts = {view_of(values, 1)}, .biases = {}});
  const float infinity = std::numeric_limits<float>::infinity();
  EXPECT_EQ(multiply(loaded(weight), std::vector<float>{1, infinity})[0], infinity);
  EXPECT_TRUE(std::isnan(multiply(loaded(weight), std::vector<float>{infinity, -infinity})[0]));
}

}  // namespace
}  // namespace parley::inference::backend
