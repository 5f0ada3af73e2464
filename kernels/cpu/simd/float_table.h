#pragma once
// The float kernels over the primitives and tile shape that the including source chose. Not for other
// sources. Constant, any thread; nothing fails.

// The later ones use the earlier ones.
// clang-format off
#include "kernels/cpu/simd/tail16.h"
#include "kernels/cpu/simd/exp16.h"
#include "kernels/cpu/simd/norm.h"
#include "kernels/cpu/simd/kv_store.h"
#include "kernels/cpu/simd/attention.h"
#include "kernels/cpu/simd/logits.h"
#include "kernels/cpu/simd/encoder.h"
// clang-format on

namespace {

constexpr FloatKernels make_float_kernels() {
  return {.rms_norm = rms_norm_row,
          .rope = rope_row,
          .store_kv = store_kv_row,
          .swiglu = swiglu_row,
          .attend_span = attend_span_rows,
          .merge_spans = merge_states,
          .finish_attention = finish_row,
          .scan_logits = scan_logits_row,
          .exp_weights = exp_weights_row,
          .find_above = find_above_threshold,
          .layer_norm = layer_norm_row,
          .gelu = gelu_row};
}

}  // namespace
