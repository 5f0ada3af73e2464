#pragma once
// The product of packed panels for one instruction set; included after one of simd/dot_*.h.
// The order of every sum is the contract in linear.h. Any thread with a scratch of its own; nothing fails.

#include "kernels/cpu/linear_few_rows.h"
#include "kernels/cpu/linear_float_rows.h"
#include "kernels/cpu/linear_format.h"
#include "kernels/cpu/linear_many_rows.h"

namespace {

static_assert(kMaxFewRows <= 8);

// The kernel for exactly kRows rows. Above kMaxFewRows there is none and none is called: one that exists
// stands in.
template <PanelFormat kFormat, int kRows>
constexpr auto kFewRowsKernel = &multiply_few_rows<kFormat, kRows <= kMaxFewRows ? kRows : 1>;

template <PanelFormat kFormat>
inline void multiply_quantized(const PanelProduct& p) {
  if (p.rows > kMaxFewRows) return multiply_many_rows<kFormat>(p);
  using Kernel = void (*)(const PanelProduct&);
  static constexpr Kernel kByRows[] = {
      kFewRowsKernel<kFormat, 1>, kFewRowsKernel<kFormat, 2>, kFewRowsKernel<kFormat, 3>,
      kFewRowsKernel<kFormat, 4>, kFewRowsKernel<kFormat, 5>, kFewRowsKernel<kFormat, 6>,
      kFewRowsKernel<kFormat, 7>, kFewRowsKernel<kFormat, 8>,
  };
  kByRows[p.rows - 1](p);
}

inline void multiply_panels(const PanelProduct& p) {
  switch (p.format) {
    case PanelFormat::f32:
      return multiply_float<PanelFormat::f32>(p);
    case PanelFormat::f16:
      return multiply_float<PanelFormat::f16>(p);
    case PanelFormat::bf16:
      return multiply_float<PanelFormat::bf16>(p);
    case PanelFormat::p4_half:
      return multiply_quantized<PanelFormat::p4_half>(p);
    case PanelFormat::p4_half_min:
      return multiply_quantized<PanelFormat::p4_half_min>(p);
    case PanelFormat::p4_sub_min:
      return multiply_quantized<PanelFormat::p4_sub_min>(p);
    case PanelFormat::p5_half:
      return multiply_quantized<PanelFormat::p5_half>(p);
    case PanelFormat::p5_half_min:
      return multiply_quantized<PanelFormat::p5_half_min>(p);
    case PanelFormat::p5_sub_min:
      return multiply_quantized<PanelFormat::p5_sub_min>(p);
    case PanelFormat::p6_sub_16:
      return multiply_quantized<PanelFormat::p6_sub_16>(p);
    case PanelFormat::p8_half:
      return multiply_quantized<PanelFormat::p8_half>(p);
  }
}

}  // namespace
