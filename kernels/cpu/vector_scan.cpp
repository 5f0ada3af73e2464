#include "kernels/cpu/vector_scan.h"

#include "kernels/cpu/isa.h"

namespace parley::kernels::cpu {

// One source each, compiled for its instruction set.
extern const VectorKernels kPortableVectorKernels;
extern const VectorKernels kAvx2VectorKernels;
extern const VectorKernels kAvx512VectorKernels;

const VectorKernels& vector_kernels(Isa isa) {
  switch (isa) {
    case Isa::avx512:
      return kAvx512VectorKernels;
    case Isa::avx2:
      return kAvx2VectorKernels;
    case Isa::portable:
      break;
  }
  return kPortableVectorKernels;
}

}  // namespace parley::kernels::cpu
