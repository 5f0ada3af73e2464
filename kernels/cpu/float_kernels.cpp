#include "kernels/cpu/float_kernels.h"

#include "kernels/cpu/isa.h"

namespace parley::kernels::cpu {

// One source each, compiled for its instruction set.
extern const FloatKernels kPortableFloatKernels;
extern const FloatKernels kAvx2FloatKernels;
extern const FloatKernels kAvx512FloatKernels;

const FloatKernels& float_kernels(Isa isa) {
  switch (isa) {
    case Isa::avx512:
      return kAvx512FloatKernels;
    case Isa::avx2:
      return kAvx2FloatKernels;
    case Isa::portable:
      break;
  }
  return kPortableFloatKernels;
}

}  // namespace parley::kernels::cpu
