// The linear kernels of one instruction set; compiled with its flags, so it includes only intrinsics and
// plain data. The primitives come first: the kernels are written over them.
// clang-format off
#include "kernels/cpu/simd/dot_avx2.h"
#include "kernels/cpu/linear_product.h"
#include "kernels/cpu/quantize_rows.h"
// clang-format on

namespace parley::kernels::cpu {

const LinearKernels kLinearAvx2 = {.multiply = multiply_panels, .quantize = quantize_rows};

}  // namespace parley::kernels::cpu
