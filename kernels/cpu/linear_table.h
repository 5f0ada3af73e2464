#pragma once
// The linear kernels of an instruction set. Pure, any thread. Never fails.

#include "kernels/cpu/isa.h"
#include "kernels/cpu/linear_kernels.h"

namespace parley::kernels::cpu {

const LinearKernels& linear_kernels(Isa isa);

}  // namespace parley::kernels::cpu
