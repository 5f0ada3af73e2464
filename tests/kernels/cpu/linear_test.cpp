#include "kernels/cpu/linear.h"

#include <gtest/gtest.h>

#include <limits>

#include "kernels/dtypes/quant_block.h"
#include "kernels/reference/linear.h"
#include "tests/kernels/cpu/stored_matrix.h"

namespace parley::kernels::cpu {
namespace {

using dtypes::DType;
using dtypes::MatrixView;

constexpr float kUntouched = 12345.0f;

// A packed layer with its memory.
struct Layer {
  WeightArena arena;
  PackedLinear packed;

  explicit Layer(const std::vector<MatrixView>& parts, const std::vector<MatrixView>& biases = {})
      : packed(parts, biases, arena) {
    packed.pack({0, packed.num_panels()});
  }
};

// Everything a product of the layer may read of x [rows, columns].
struct Input {
  std::vector<float> x;
  QuantizedRows quantized;
  LinearInput input;

  Input(Isa isa, std::vector<float> values, int rows, int columns) : x(std::move(values)) {
    if (columns % 32 == 0) {
      quantized = QuantizedRows(rows, columns);
      quantized.reshape(rows, columns);
      quantized.quantize(isa, x.data(), static_cast<std::size_t>(columns), 0, rows);
    }
    input = {rows, &quantized, x.data(), static_cast<std::size_t>(columns)};
  }
};

std::vector<float> product(Isa isa, const PackedLinear& layer, const LinearInput& input, PanelRange panels) {
  const auto stride =
      static_cast<std::size_t>(layer.outputs()) + 3;  // wider than needed: the gap stays untouched
  std::vector<float> out(stride * static_cast<std::size_t>(input.rows) + 1, kUntouched);
  const LinearScratch scratch;
  multiply(isa, layer, panels, input, {out.data(), stride, Store::overwrite}, scratch);
  std::vector<float> dense;
  for (int row = 0; row < input.rows; ++row) {
    const float* values = out.data() + static_cast<std::size_t>(row) * stride;
    dense.insert(dense.end(), values, values + layer.outputs());
    for (int i = 0; i < 3; ++i) EXPECT_EQ(values[layer.outputs() + i], kUntouched);
  }
  return dense;
}

std::vector<float> product(Isa isa, const PackedLinear& layer, const LinearInput& input) {
  return product(isa, layer, input, {0, layer.num_panels()});
}

std::vector<float> reference_product(const MatrixView& weights, const std::vector<float>& x, int rows) {
  std::vector<float> out(static_cast<std::size_t>(rows * weights.rows));
  if (dtypes::is_quantized(weights.dtype)) {
    reference::multiply(weights, reference::quantize_rows(x, rows, static_cast<int>(weights.columns)), out);
  } else {
    reference::multiply_float(weights, x, rows, out);
  }
  return out;
}

class LinearOfType : public testing::TestWithParam<DType> {
 protected:
  // Widths around the units of the panels: one block, an odd number of blocks, several units.
  std::vector<int> widths() const {
    const int block = dtypes::traits(GetParam()).block_elements;
    if (block == 1) return {1, 7, 32, 100};
    if (block == 32) return {32, 64, 96, 288, 1056};
    return {256, 512, 1280};
  }
};

TEST_P(LinearOfType, EqualsTheReferenceBitForBitForEveryShape) {
  for (const int columns : widths()) {
    for (const int outputs : {1, 15, 16, 17, 33, 80}) {
      const StoredMatrix weights(GetParam(), outputs, columns, 7u + static_cast<unsigned>(outputs * columns));
      const Layer layer({weights.view});
      for (const int rows : {1, 2, 3, 4, 5, 6, 7, 8, 9, 16, 17, 33}) {
        const std::vector<float> x = random_floats(static_cast<std::size_t>(rows * columns), 3);
        const std::vector<float> expected = reference_product(weights.view, x, rows);
        for (const Isa isa : all_isas()) {
          const Input input(isa, x, rows, columns);
          ASSERT_TRUE(same_bits(product(isa, layer.packed, input.input), expected))
              << isa_name(isa) << ", " << columns << " columns, " << outputs << " outputs, " << rows
              << " rows";
        }
      }
    }
  }
}

class LinearOfQuantizedType : public LinearOfType {};

TEST_P(LinearOfQuantizedType, LargestQuantsAreExact) {
  const int columns = 2 * std::max(64, dtypes::traits(GetParam()).block_elements);
  const StoredMatrix scales(GetParam(), 32, columns, 5);
  const int block_bytes = dtypes::traits(GetParam()).block_bytes;
  const int tail = GetParam() == DType::q6_k         ? 0
                   : block_bytes > 100               ? 16
                   : dtypes::has_minimum(GetParam()) ? 4
                                                     : 2;
  for (const int fill : {0x00, 0x7f, 0x80, 0x81, 0xff}) {
    StoredMatrix weights(GetParam(), 32, columns, 5);
    for (std::size_t i = 0; i < weights.bytes.size(); ++i) {
      const int within = static_cast<int>(i) % block_bytes;
      const bool quant = GetParam() == DType::q6_k ? within < 192 : within >= tail;
      if (quant) weights.bytes[i] = static_cast<std::byte>(fill);
    }
    const Layer layer({weights.view});
    for (const float sign : {1.0f, -1.0f}) {
      const std::vector<float> x(static_cast<std::size_t>(17 * columns), sign * 3.0f);
      const std::vector<float> expected = reference_product(weights.view, x, 17);
      for (const Isa isa : all_isas()) {
        const Input input(isa, x, 17, columns);
        ASSERT_TRUE(same_bits(product(isa, layer.packed, input.input), expected))
            << isa_name(isa) << " " << fill;
      }
    }
  }
}

TEST_P(LinearOfType, AnySplitIntoPanelsGivesTheSame) {
  const int columns = dtypes::traits(GetParam()).block_elements == 256 ? 512 : 96;
  const StoredMatrix weights(GetParam(), 16 * 11 + 5, columns, 11);
  const Layer layer({weights.view});
  for (const int rows : {1, 3, 8, 21}) {
    const std::vector<float> x = random_floats(static_cast<std::size_t>(rows * columns), 4);
    const std::vector<float> expected = reference_product(weights.view, x, rows);
    for (const Isa isa : all_isas()) {
      const Input input(isa, x, rows, columns);
      const LinearScratch scratch;
      std::vector<float> out(expected.size(), kUntouched);
      for (const PanelRange range : {PanelRange{0, 1}, {1, 1}, {1, 4}, {4, 6}, {6, 11}, {11, 12}}) {
        multiply(isa, layer.packed, range, input.input, {out.data(), 181, Store::overwrite}, scratch);
      }
      ASSERT_TRUE(same_bits(out, expected)) << isa_name(isa) << " " << rows;
    }
  }
}

TEST_P(LinearOfType, AddsBiasAndThenWhatWasThere) {
  const int columns = dtypes::traits(GetParam()).block_elements == 256 ? 256 : 64;
  const StoredMatrix weights(GetParam(), 37, columns, 13);
  const StoredMatrix bias(DType::f32, 1, 37, 14);
  const Layer layer({weights.view}, {bias.view});
  const std::vector<float> before = random_floats(std::size_t{12} * 37, 15);
  const std::vector<float> x = random_floats(static_cast<std::size_t>(12 * columns), 16);
  std::vector<float> expected = reference_product(weights.view, x, 12);
  for (std::size_t i = 0; i < expected.size(); ++i) {
    float b;
    std::memcpy(&b, bias.bytes.data() + 4 * (i % 37), 4);
    expected[i] = before[i] + (expected[i] + b);
  }
  for (const Isa isa : all_isas()) {
    const Input input(isa, x, 12, columns);
    const LinearScratch scratch;
    std::vector<float> out = before;
    multiply(isa, layer.packed, {0, 3}, input.input, {out.data(), 37, Store::add}, scratch);
    ASSERT_TRUE(same_bits(out, expected)) << isa_name(isa);
  }
}

TEST_P(LinearOfType, InputThatIsNotFiniteReachesTheOutput) {
  const int columns = dtypes::traits(GetParam()).block_elements == 256 ? 512 : 128;
  const StoredMatrix weights(GetParam(), 20, columns, 17);
  const Layer layer({weights.view});
  constexpr float kInfinity = std::numeric_limits<float>::infinity();
  for (const float poison : {kInfinity, -kInfinity, std::numeric_limits<float>::quiet_NaN()}) {
    for (const Isa isa : all_isas()) {
      std::vector<float> x = random_floats(static_cast<std::size_t>(3 * columns), 18);
      x[static_cast<std::size_t>(columns + 70)] = poison;  // in row 1 only
      const Input input(isa, x, 3, columns);
      const std::vector<float> out = product(isa, layer.packed, input.input);
      for (std::size_t i = 0; i < 20; ++i) {
        EXPECT_TRUE(std::isfinite(out[i])) << isa_name(isa);
        EXPECT_FALSE(std::isfinite(out[20 + i])) << isa_name(isa);
        EXPECT_TRUE(std::isfinite(out[40 + i])) << isa_name(isa);
      }
    }
  }
}

TEST_P(LinearOfType, NoRowsIsNoWork) {
  const int columns = dtypes::traits(GetParam()).block_elements == 256 ? 256 : 64;
  const StoredMatrix weights(GetParam(), 16, columns, 19);
  const Layer layer({weights.view});
  for (const Isa isa : all_isas()) {
    const Input input(isa, {}, 0, columns);
    EXPECT_TRUE(product(isa, layer.packed, input.input).empty());
  }
}

std::string dtype_of(const testing::TestParamInfo<DType>& type) {
  return std::string(dtypes::traits(type.param).name);
}

std::vector<DType> quantized_dtypes() {
  std::vector<DType> quantized = all_dtypes();
  std::erase_if(quantized, [](DType dtype) { return !dtypes::is_quantized(dtype); });
  return quantized;
}

INSTANTIATE_TEST_SUITE_P(AllTypes, LinearOfType, testing::ValuesIn(all_dtypes()), dtype_of);
INSTANTIATE_TEST_SUITE_P(AllTypes, LinearOfQuantizedType, testing::ValuesIn(quantized_dtypes()), dtype_of);

TEST(Linear, StackedPartsOfDifferentTypesFollowEachOther) {
  const StoredMatrix q(DType::q4_k, 48, 512, 21);
  const StoredMatrix k(DType::q4_k, 17, 512, 22);
  const StoredMatrix v(DType::q6_k, 31, 512, 23);
  const StoredMatrix f(DType::f16, 5, 512, 24);
  const StoredMatrix k_bias(DType::f32, 1, 17, 25);
  const Layer layer({q.view, k.view, v.view, f.view}, {{}, k_bias.view, {}, {}});
  EXPECT_EQ(layer.packed.outputs(), 101);
  EXPECT_TRUE(layer.packed.reads_float());
  EXPECT_TRUE(layer.packed.reads_quantized());
  const std::vector<float> x = random_floats(std::size_t{10} * 512, 26);
  std::vector<float> expected(std::size_t{10} * 101);
  int first = 0;
  for (const StoredMatrix* part : {&q, &k, &v, &f}) {
    const std::vector<float> values = reference_product(part->view, x, 10);
    const auto width = static_cast<int>(part->view.rows);
    for (int row = 0; row < 10; ++row)
      for (int i = 0; i < width; ++i) {
        float value = values[static_cast<std::size_t>(row * width + i)];
        float b = 0.0f;
        if (part == &k) std::memcpy(&b, k_bias.bytes.data() + 4 * i, 4);
        expected[static_cast<std::size_t>(row * 101 + first + i)] = part == &k ? value + b : value;
      }
    first += width;
  }
  for (const Isa isa : all_isas()) {
    const Input input(isa, x, 10, 512);
    EXPECT_TRUE(same_bits(product(isa, layer.packed, input.input), expected)) << isa_name(isa);
  }
}

// The widths and heights of real layers, where blocking over rows and columns sets in.
TEST(Linear, RealShapesEqualTheReference) {
  struct Shape {
    DType dtype;
    int outputs, columns, rows;
  };
  for (const Shape& shape : {Shape{DType::q4_k, 35, 8960, 70}, Shape{DType::q6_k, 35, 8960, 70},
                             Shape{DType::q5_0, 50, 4864, 131}, Shape{DType::q4_1, 70, 576, 257}}) {
    const StoredMatrix weights(shape.dtype, shape.outputs, shape.columns, 27);
    const Layer layer({weights.view});
    const std::vector<float> x = random_floats(static_cast<std::size_t>(shape.rows * shape.columns), 28);
    const std::vector<float> expected = reference_product(weights.view, x, shape.rows);
    for (const Isa isa : all_isas()) {
      const Input input(isa, x, shape.rows, shape.columns);
      EXPECT_TRUE(same_bits(product(isa, layer.packed, input.input), expected))
          << isa_name(isa) << " " << dtypes::traits(shape.dtype).name;
    }
  }
}

}  // namespace
}  // namespace parley::kernels::cpu
