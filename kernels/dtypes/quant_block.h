#pragma once
// One stored quantised block taken apart into integers and scales, without rounding: what decoders, the
// packing of weights and the reference products share. Pure functions, any thread; the bytes may be anything,
// a dtype without blocks is an assertion.
//
// Value i of a block is  scale[i / 16] * values[i] (+ minimum[i / 32] where the type has minima).

#include <cstddef>
#include <cstdint>

#include "kernels/dtypes/dtype.h"

namespace parley::kernels::dtypes {

inline constexpr int kMaxBlockElements = 256;

struct QuantBlock {
  std::int8_t values[kMaxBlockElements];  // signed where the type is (Q4_0: -8 .. 7), else from 0
  float scale[kMaxBlockElements / 16];    // f16 times a small integer: exact in f32
  float minimum[kMaxBlockElements / 32];  // added; exact in f32; set only where has_minimum(dtype)
};

// Q4_0 and up, that is neither F32, F16 nor BF16.
bool is_quantized(DType dtype);
bool has_minimum(DType dtype);

// Takes the block of traits(dtype).block_bytes bytes at `block` apart. Requires is_quantized(dtype).
void unpack_block(DType dtype, const std::byte* block, QuantBlock& out);

// The eight 6-bit scales and eight 6-bit minima in the 12 bytes of a Q4_K or Q5_K block.
void unpack_k_scales(const std::byte* packed, std::uint8_t scales[8], std::uint8_t minima[8]);

}  // namespace parley::kernels::dtypes
