#pragma once
// The linear kernels of an instruction set. Pure, any thread.

#include <cstddef>

#include "kernels/cpu/isa.h"
#include "kernels/cpu/linear_kernels.h"

namespace parley::kernels::cpu {

const LinearKernels& linear_kernels(Isa isa);

// Working memory of one thread: two panels with quants as bytes and scales as f32.
std::size_t linear_scratch_bytes(int columns);

}  // namespace parley::kernels::cpu
