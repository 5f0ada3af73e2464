#pragma once
// Layer norm and GELU over sixteen lanes, for encoders. Included after the primitives, tail16.h and exp16.h.
// Pure, any thread; nothing fails.

namespace {

// Sums run in one vector: rows of encoders are short. The mean is taken off before squaring, so that rows far
// from zero lose nothing.
inline void layer_norm_row(const LayerNormRow& row) {
  const auto count = static_cast<float>(row.dim);
  F32x16 sums = zero16();
  for_each16(row.dim, [&](int i, int lanes) { sums = sums + load_lanes16(row.x + i, lanes, 0.0f); });
  const float mean = sum16(sums) / count;
  const F32x16 means = broadcast16(mean);
  F32x16 squares = zero16();
  for_each16(row.dim, [&](int i, int lanes) {
    const F32x16 away = load_lanes16(row.x + i, lanes, mean) - means;
    squares = fma16(away, away, squares);
  });
  const F32x16 scale = broadcast16(1.0f / __builtin_sqrtf(sum16(squares) / count + row.epsilon));
  for_each16(row.dim, [&](int i, int lanes) {
    const F32x16 normal = (load_lanes16(row.x + i, lanes, 0.0f) - means) * scale;
    const F32x16 weight = load_lanes16(row.weight + i, lanes, 0.0f);
    store_lanes16(row.out + i, lanes, fma16(normal, weight, load_lanes16(row.bias + i, lanes, 0.0f)));
  });
}

// x / 2 * (1 + erf(x / sqrt 2)), written as max(x, 0) - |x| q with q = (1 - erf(|x| / sqrt 2)) / 2, so that
// small results keep their digits. erf by formula 7.1.26 of Abramowitz & Stegun, off by 1.5e-7 at most.
inline void gelu_row(float* out, const float* x, int count) {
  const F32x16 one = broadcast16(1.0f);
  for_each16(count, [&](int i, int lanes) {
    const F32x16 value = load_lanes16(x + i, lanes, 0.0f);
    const F32x16 size = abs16(value);
    const F32x16 z = size * broadcast16(0.707106781f);
    const F32x16 t = one / fma16(z, broadcast16(0.3275911f), one);
    F32x16 sum = broadcast16(1.061405429f);
    sum = fma16(sum, t, broadcast16(-1.453152027f));
    sum = fma16(sum, t, broadcast16(1.421413741f));
    sum = fma16(sum, t, broadcast16(-0.284496736f));
    sum = fma16(sum, t, broadcast16(0.254829592f));
    const F32x16 q = broadcast16(0.5f) * (sum * t * exp16(zero16() - z * z));
    store_lanes16(out + i, lanes, max16(zero16(), value) - size * q);
  });
}

}  // namespace
