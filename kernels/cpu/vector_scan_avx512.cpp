// The vector kernels of one instruction set; compiled with its flags, so it includes only intrinsics and
// plain data. The primitives come first: the kernels are written over them.
// clang-format off
#include "kernels/cpu/simd/dot_avx512.h"
#include "kernels/cpu/vector_scan_rows.h"
// clang-format on

namespace parley::kernels::cpu {

extern const VectorKernels kAvx512VectorKernels;
const VectorKernels kAvx512VectorKernels = {.scan = scan_vectors, .dot_half = dot_half_row};

}  // namespace parley::kernels::cpu
