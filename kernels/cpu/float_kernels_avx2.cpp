// The primitives and the tile shape come before the kernels written over them.
// clang-format off
#include "kernels/cpu/float_kernels.h"
#include "kernels/cpu/simd/avx2.h"
// clang-format on

namespace {

using namespace parley::kernels::cpu;

// 12 sums, 2 loaded and 1 broadcast of 16 registers.
constexpr int kQueryTile = 6;
constexpr int kVectorTile = 1;

}  // namespace

#include "kernels/cpu/simd/float_table.h"

namespace parley::kernels::cpu {

extern const FloatKernels kAvx2FloatKernels;
const FloatKernels kAvx2FloatKernels = make_float_kernels();

}  // namespace parley::kernels::cpu
