#include "kernels/cpu/float_kernels.h"

#include "kernels/cpu/isa.h"

namespace parley::kernels::cpu {

// One source each, compiled for its instruction set.
extern const FloatKernels portable_float_kernels;
extern const FloatKernels avx2_float_kernels;
extern const FloatKernels avx512_float_kernels;

const FloatKernels& float_kernels(Isa isa) {
  switch (isa) {
    case Isa::avx512:
      return avx512_float_kernels;
    case Isa::avx2:
      return avx2_float_kernels;
    case Isa::portable:
      break;
  }
  return portable_float_kernels;
}

}  // namespace parley::kernels::cpu
