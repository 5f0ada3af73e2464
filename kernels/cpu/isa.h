#pragma once
// Which instruction set the CPU kernels use. Chosen once at start: the best the processor has, or a lesser
// one named by the environment variable PARLEY_ISA (portable, avx2, avx512) for tests and comparisons. Pure,
// any thread; a wish that cannot be met throws.

#include <cstdint>
#include <string_view>

namespace parley::kernels::cpu {

enum class Isa : std::uint8_t {
  portable,  // plain C++, any x86-64
  avx2,      // AVX2, FMA, F16C
  avx512,    // AVX-512 F, BW, DQ, VL and VNNI
};

std::string_view isa_name(Isa isa);

// Best supported by processor and operating system.
Isa best_isa();

// best_isa(), or what PARLEY_ISA asks for. Throws std::runtime_error when that is unknown or not supported
// here.
Isa selected_isa();

}  // namespace parley::kernels::cpu
