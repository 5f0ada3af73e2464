#include "kernels/cpu/float_kernels.h"

#include "kernels/cpu/isa.h"

namespace parley::kernels::cpu {

// One source each, compiled for its instruction set.
extern const FloatKernels kFloatKernelsPortable;
extern const FloatKernels kFloatKernelsAvx2;
extern const FloatKernels kFloatKernelsAvx512;

const FloatKernels& float_kernels(Isa isa) {
  switch (isa) {
    case Isa::avx512:
      return kFloatKernelsAvx512;
    case Isa::avx2:
      return kFloatKernelsAvx2;
    case Isa::portable:
      break;
  }
  return kFloatKernelsPortable;
}

}  // namespace parley::kernels::cpu
