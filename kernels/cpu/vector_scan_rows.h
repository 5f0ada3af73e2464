#pragma once
// The kernels of vector_scan.h, written once. Included after the dot primitives of one instruction set. Pure,
// any thread; nothing fails.

#include "kernels/cpu/vector_scan.h"

namespace {

template <int Blocks>
inline void scan_blocks(float* scores, const parley::kernels::cpu::VectorScan& scan, int first_block,
                        std::int32_t start) {
  constexpr int kRows = parley::kernels::cpu::kScanRows;
  const std::size_t block_bytes = static_cast<std::size_t>(scan.dim) * kRows;
  const std::uint8_t* codes = scan.codes + static_cast<std::size_t>(first_block) * block_bytes;
  DotSum<8> sums[Blocks];
  PARLEY_UNROLL
  for (int b = 0; b < Blocks; ++b) sums[b].start(start);
  int g = 0;
  do {
    const Four query = load_four(scan.query + 4 * g);
    PARLEY_UNROLL
    for (int b = 0; b < Blocks; ++b) {
      const Line line = load_line(codes + static_cast<std::size_t>(b) * block_bytes + std::size_t{64} * g);
      sums[b].add(kSignedBytes ? to_signed(line) : line, query, g);
    }
  } while (++g < scan.dim / 4);
  PARLEY_UNROLL
  for (int b = 0; b < Blocks; ++b) {
    const int row = (first_block + b) * kRows;
    store16(scores + row, to_float16(sums[b].finish(start)) * load16(scan.scales + row));
  }
}

inline void scan_vectors(float* scores, const parley::kernels::cpu::VectorScan& scan) {
  std::int32_t sum = 0;
  for (int d = 0; d < scan.dim; ++d) sum += scan.query[d];
  const std::int32_t start = -128 * sum;  // takes the codes' offset off
  int block = 0;
  for (; block + kFewPanels <= scan.num_blocks; block += kFewPanels)
    scan_blocks<kFewPanels>(scores, scan, block, start);
  for (; block < scan.num_blocks; ++block) scan_blocks<1>(scores, scan, block, start);
}

inline float dot_half_row(const float* query, const std::uint16_t* row, int dim) {
  F32x16 sum = zero16();
  for (int d = 0; d < dim; d += 16) sum = fma16(load16(query + d), load_half16(row + d), sum);
  return sum16(sum);
}

}  // namespace
