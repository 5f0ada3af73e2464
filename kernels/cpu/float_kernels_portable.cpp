// The primitives and the tile shape come before the kernels written over them.
// clang-format off
#include "kernels/cpu/float_kernels.h"
#include "kernels/cpu/simd/portable.h"
// clang-format on

namespace {

using namespace parley::kernels::cpu;

// Lanes live in memory here; four rows share each load.
constexpr int kQueryTile = 4;
constexpr int kVectorTile = 1;

}  // namespace

#include "kernels/cpu/simd/float_table.h"

namespace parley::kernels::cpu {

extern const FloatKernels kPortableFloatKernels;
const FloatKernels kPortableFloatKernels = make_float_kernels();

}  // namespace parley::kernels::cpu
