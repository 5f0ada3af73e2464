#pragma once
// Norm, SwiGLU and rotary embedding over sixteen lanes. Included after the primitives, tail16.h and exp16.h.
// Pure, any thread; nothing fails.

namespace {

// The sum of squares runs in four vectors, 64 values apart, joined as (0 + 1) + (2 + 3).
inline float sum_of_squares(const float* x, int dim) {
  F32x16 sums[4] = {zero16(), zero16(), zero16(), zero16()};
  int i = 0;
  for (; i + 64 <= dim; i += 64) {
    for (int lane = 0; lane < 4; ++lane) {
      const F32x16 value = load16(x + i + 16 * lane);
      sums[lane] = fma16(value, value, sums[lane]);
    }
  }
  for_each16(dim - i, [&](int offset, int lanes) {
    const F32x16 value = load_lanes16(x + i + offset, lanes, 0.0f);
    sums[offset / 16] = fma16(value, value, sums[offset / 16]);
  });
  return sum16((sums[0] + sums[1]) + (sums[2] + sums[3]));
}

inline void rms_norm_row(float* out, const float* x, const float* weight, int dim, float epsilon) {
  const float mean = sum_of_squares(x, dim) / static_cast<float>(dim);
  const F32x16 scale = broadcast16(1.0f / __builtin_sqrtf(mean + epsilon));
  for_each16(dim, [&](int i, int lanes) {
    const F32x16 value = load_lanes16(x + i, lanes, 0.0f) * scale;
    store_lanes16(out + i, lanes, value * load_lanes16(weight + i, lanes, 0.0f));
  });
}

inline void swiglu_row(float* out, const float* gate, const float* up, int count) {
  for_each16(count, [&](int i, int lanes) {
    const F32x16 g = load_lanes16(gate + i, lanes, 0.0f);
    const F32x16 sigmoid_inverse = broadcast16(1.0f) + exp16(zero16() - g);
    store_lanes16(out + i, lanes, g / sigmoid_inverse * load_lanes16(up + i, lanes, 0.0f));
  });
}

inline void rotate_adjacent(float* head, const RopeRow& row) {
  for_each16(row.rope_dim, [&](int i, int lanes) {
    const F32x16 x = load_lanes16(head + i, lanes, 0.0f);
    const F32x16 turned = x * load_lanes16(row.cosines + i, lanes, 0.0f);
    store_lanes16(head + i, lanes, fma16(swap_pairs16(x), load_lanes16(row.sines + i, lanes, 0.0f), turned));
  });
}

inline void rotate_halves(float* head, const RopeRow& row) {
  const int half = row.rope_dim / 2;
  for_each16(half, [&](int i, int lanes) {
    const F32x16 first = load_lanes16(head + i, lanes, 0.0f);
    const F32x16 second = load_lanes16(head + half + i, lanes, 0.0f);
    const F32x16 first_turned = first * load_lanes16(row.cosines + i, lanes, 0.0f);
    const F32x16 second_turned = second * load_lanes16(row.cosines + half + i, lanes, 0.0f);
    store_lanes16(head + i, lanes, fma16(second, load_lanes16(row.sines + i, lanes, 0.0f), first_turned));
    store_lanes16(head + half + i, lanes,
                  fma16(first, load_lanes16(row.sines + half + i, lanes, 0.0f), second_turned));
  });
}

inline void rope_row(const RopeRow& row) {
  for (int h = 0; h < row.num_heads; ++h) {
    float* head = row.heads + static_cast<std::size_t>(h) * static_cast<std::size_t>(row.head_dim);
    if (row.pairs == RopePairs::adjacent) {
      rotate_adjacent(head, row);
    } else {
      rotate_halves(head, row);
    }
  }
}

}  // namespace
