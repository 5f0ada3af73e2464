// The primitives and the tile shape come before the kernels written over them.
// clang-format off
#include "kernels/cpu/float_kernels.h"
#include "kernels/cpu/simd/avx512.h"
// clang-format on

namespace {

using namespace parley::kernels::cpu;

// 16 sums, 2 loaded and 1 broadcast of 32 registers; 8 chains hide the latency of fma in either half.
constexpr int kQueryTile = 8;
constexpr int kVectorTile = 2;

}  // namespace

#include "kernels/cpu/simd/float_table.h"

namespace parley::kernels::cpu {

extern const FloatKernels kAvx512FloatKernels;
const FloatKernels kAvx512FloatKernels = make_float_kernels();

}  // namespace parley::kernels::cpu
