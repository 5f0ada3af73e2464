#pragma once
// exp of sixteen lanes, within 2 ulp, the same bits on every instruction set. Included after the primitives.
// Pure, any thread; nothing fails.

namespace {

// x above 88.3 gives exp(88.3); x below -87.3 gives 0 (so does -infinity); exp(0) is exactly 1; NaN stays
// NaN. x = n ln 2 + r with |r| <= ln 2 / 2 (ln 2 in two parts), then 2^n times the Taylor polynomial of
// degree 7, whose truncation error is below 2^-27.
inline F32x16 exp16(F32x16 x) {
  const F32x16 lowest = broadcast16(-87.3f);
  // The order of operands lets a NaN pass.
  const F32x16 held = min16(broadcast16(88.3f), max16(lowest, x));
  const I32x16 n = round_to_int16(held * broadcast16(1.44269504f));
  const F32x16 whole = to_float16(n);
  F32x16 r = fma16(whole, broadcast16(-0.693359375f), held);
  r = fma16(whole, broadcast16(2.12194440e-4f), r);
  F32x16 sum = broadcast16(1.0f / 5040.0f);
  sum = fma16(sum, r, broadcast16(1.0f / 720.0f));
  sum = fma16(sum, r, broadcast16(1.0f / 120.0f));
  sum = fma16(sum, r, broadcast16(1.0f / 24.0f));
  sum = fma16(sum, r, broadcast16(1.0f / 6.0f));
  sum = fma16(sum, r, broadcast16(0.5f));
  sum = fma16(sum, r, broadcast16(1.0f));
  sum = fma16(sum, r, broadcast16(1.0f));
  return zero_below16(scale_by_power16(sum, n), x, lowest);
}

}  // namespace
