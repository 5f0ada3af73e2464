#include "kernels/cpu/vector_scan.h"

#include <gtest/gtest.h>

#include <cmath>
#include <random>
#include <vector>

#include "kernels/cpu/huge_buffer.h"
#include "kernels/dtypes/half.h"
#include "kernels/reference/vector_scan.h"
#include "tests/kernels/cpu/all_isas.h"

namespace parley::kernels::cpu {
namespace {

// Rows as they are, and as the scan takes them.
struct ScanCase {
  ScanCase(int scan_blocks, int scan_dim, unsigned seed)
      : blocks(scan_blocks), dim(scan_dim), codes(size() + 1) {
    std::mt19937 random(seed);
    // -127 .. 127, the ends often: sums of the largest products must not overflow.
    const auto any = [&] {
      const int value = static_cast<int>(random() % 300) - 150;
      return static_cast<std::int8_t>(std::max(-127, std::min(127, value)));
    };
    for (std::size_t i = 0; i < size(); ++i) values.push_back(any());
    for (int d = 0; d < dim; ++d) query.push_back(any());
    for (int row = 0; row < blocks * kScanRows; ++row)
      scales.push_back(static_cast<float>(random() % 1000) / 1000.0F);
    for (int row = 0; row < blocks * kScanRows; ++row) {
      for (int d = 0; d < dim; ++d) {
        const int place = (row / kScanRows * (dim / 4) + d / 4) * 64 + row % kScanRows * 4 + d % 4;
        codes.as<std::uint8_t>()[place] =
            static_cast<std::uint8_t>(values[index(row) + static_cast<std::size_t>(d)] + 128);
      }
    }
  }
  std::size_t size() const {
    return static_cast<std::size_t>(blocks) * kScanRows * static_cast<std::size_t>(dim);
  }
  std::size_t index(int row) const { return static_cast<std::size_t>(row) * static_cast<std::size_t>(dim); }

  int blocks, dim;
  HugeBuffer codes;
  std::vector<std::int8_t> values, query;
  std::vector<float> scales;
};

TEST(VectorScan, IsTheReferenceOnEveryInstructionSet) {
  for (const int dim : {4, 16, 384, 768, 1028}) {
    for (const int blocks : {0, 1, 3, 4, 9}) {
      const ScanCase c(blocks, dim, static_cast<unsigned>(dim + blocks));
      for (const Isa isa : all_isas()) {
        std::vector<float> scores(static_cast<std::size_t>(blocks) * kScanRows + 1, -7.0F);
        vector_kernels(isa).scan(scores.data(), {.codes = c.codes.as<const std::uint8_t>(),
                                                 .scales = c.scales.data(),
                                                 .query = c.query.data(),
                                                 .num_blocks = blocks,
                                                 .dim = dim});
        for (int row = 0; row < blocks * kScanRows; ++row) {
          const std::span values(c.values.data() + c.index(row), static_cast<std::size_t>(dim));
          ASSERT_EQ(scores[static_cast<std::size_t>(row)],
                    reference::scan_score(values, c.scales[static_cast<std::size_t>(row)], c.query))
              << isa_name(isa) << " dim " << dim << " row " << row;
        }
        EXPECT_EQ(scores.back(), -7.0F) << "wrote behind the end";
      }
    }
  }
}

TEST(VectorScan, MultipliesHalvesAsTheReference) {
  std::mt19937 random(3);
  std::normal_distribution<float> normal;
  for (const int dim : {16, 64, 384, 1024}) {
    std::vector<float> query;
    std::vector<std::uint16_t> row;
    for (int d = 0; d < dim; ++d) {
      query.push_back(normal(random));
      row.push_back(dtypes::float_to_half(normal(random)));
    }
    const double expected = reference::dot_half(query, row);
    const float portable = vector_kernels(Isa::portable).dot_half(query.data(), row.data(), dim);
    EXPECT_NEAR(portable, expected, 1e-6 * dim);
    for (const Isa isa : all_isas())
      EXPECT_EQ(vector_kernels(isa).dot_half(query.data(), row.data(), dim), portable) << isa_name(isa);
  }
}

}  // namespace
}  // namespace parley::kernels::cpu
