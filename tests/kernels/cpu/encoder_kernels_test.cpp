// Layer norm and GELU against their twins, the same bits on every instruction set.
#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <vector>

#include "kernels/cpu/float_kernels.h"
#include "kernels/reference/encoder_stages.h"
#include "tests/kernels/cpu/stored_matrix.h"

namespace parley::kernels::cpu {
namespace {

std::vector<float> norm_of(const FloatKernels& kernels, const std::vector<float>& x,
                           const std::vector<float>& weight, const std::vector<float>& bias) {
  std::vector<float> out(x.size());
  kernels.layer_norm({out.data(), x.data(), weight.data(), bias.data(), static_cast<int>(x.size()), 1e-12f});
  return out;
}

TEST(LayerNorm, IsTheReferenceForAllSizesAndFarFromZero) {
  for (const std::size_t dim : {2u, 15u, 16u, 17u, 63u, 384u, 768u, 1000u}) {
    for (const float offset : {0.0f, 1000.0f}) {
      std::vector<float> x = random_floats(dim, 1, 3.0f);
      for (float& value : x) value += offset;
      const std::vector<float> weight = random_floats(dim, 2), bias = random_floats(dim, 3);
      std::vector<float> expected(dim);
      reference::layer_norm(expected, x, {weight, bias, 1e-12f});
      const std::vector<float> portable = norm_of(float_kernels(Isa::portable), x, weight, bias);
      const float bound = offset == 0.0f ? 4e-6f : 1e-3f;  // the mean itself is rounded
      for (std::size_t i = 0; i < dim; ++i) EXPECT_NEAR(portable[i], expected[i], bound) << dim << " " << i;
      for (const Isa isa : all_isas())
        EXPECT_TRUE(same_bits(norm_of(float_kernels(isa), x, weight, bias), portable));
    }
  }
}

TEST(LayerNorm, ARowOfEqualValuesIsItsBias) {
  const std::vector<float> x(40, 7.5f), weight(40, 3.0f), bias = random_floats(40, 4);
  EXPECT_EQ(norm_of(float_kernels(best_isa()), x, weight, bias), bias);
}

TEST(Gelu, IsTheReferenceOverTheWholeRange) {
  std::vector<float> x;
  for (int i = -4000; i <= 4000; ++i) x.push_back(static_cast<float>(i) / 400.0f);
  x.insert(x.end(), {-100.0f, 100.0f, -0.0f, 1e-30f});
  std::vector<float> expected(x.size());
  reference::gelu(expected, x);
  const auto run = [&](Isa isa) {
    std::vector<float> out(x.size());
    float_kernels(isa).gelu(out.data(), x.data(), static_cast<int>(x.size()));
    return out;
  };
  const std::vector<float> portable = run(Isa::portable);
  for (std::size_t i = 0; i < x.size(); ++i) {
    EXPECT_NEAR(portable[i], expected[i], 4e-7f * std::max(1.0f, std::abs(x[i]))) << x[i];
  }
  for (const Isa isa : all_isas()) EXPECT_TRUE(same_bits(run(isa), portable)) << isa_name(isa);
}

TEST(Gelu, ANanStaysANanAndMayWorkInPlace) {
  std::vector<float> x(20, 1.0f);
  x[3] = x[18] = std::numeric_limits<float>::quiet_NaN();
  for (const Isa isa : all_isas()) {
    std::vector<float> out = x;
    float_kernels(isa).gelu(out.data(), out.data(), 20);
    for (std::size_t i = 0; i < out.size(); ++i)
      EXPECT_EQ(std::isnan(out[i]), i == 3 || i == 18) << isa_name(isa);
  }
}

}  // namespace
}  // namespace parley::kernels::cpu
