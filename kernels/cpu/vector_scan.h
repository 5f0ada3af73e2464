#pragma once
// Inner products of one query with many stored vectors, for nearest neighbours: a scan over int8 codes, and
// the exact product with a vector in halves. One table of functions for each instruction set; the scan's
// integer sums are exact, so its results are the same in all of them; the other agrees bit for bit, too.
// Plain data and pure functions, any thread. Requirements are not checked.

#include <cstdint>

namespace parley::kernels::cpu {

enum class Isa : std::uint8_t;  // isa.h

inline constexpr int kScanRows = 16;  // vectors of a block

// Vectors by blocks of 16, four values of each side by side, as the integer products of isa-specific code
// take them.
struct VectorScan {
  const std::uint8_t* codes = nullptr;  // [num_blocks, dim / 4, 16 rows, 4], value + 128; 64-byte aligned
  const float* scales = nullptr;        // [num_blocks * 16]
  const std::int8_t* query = nullptr;   // [dim]
  int num_blocks = 0;
  int dim = 0;  // multiple of 4, 4 .. 65536
};

struct VectorKernels {
  // scores[i] = scales[i] * sum over d of value[i][d] * query[d]; [num_blocks * 16] f32. Reads dim + 4 bytes
  // a vector and does 2 * dim operations: it waits for memory.
  void (*scan)(float* scores, const VectorScan& scan);
  // sum over d of query[d] * row[d]; query [dim] f32, row [dim] f16, dim a multiple of 16. One chain of fma
  // for each of 16 lanes, then the lanes.
  float (*dot_half)(const float* query, const std::uint16_t* row, int dim);
};

const VectorKernels& vector_kernels(Isa isa);

}  // namespace parley::kernels::cpu
