#pragma once
// IEEE binary16 and bfloat16 conversions in portable code, round to nearest even, NaN kept. Pure, any thread.
// Never fails.

#include <cstdint>

namespace parley::kernels::dtypes {

float half_to_float(std::uint16_t bits);
std::uint16_t float_to_half(float value);
float bfloat16_to_float(std::uint16_t bits);
std::uint16_t float_to_bfloat16(float value);

}  // namespace parley::kernels::dtypes
