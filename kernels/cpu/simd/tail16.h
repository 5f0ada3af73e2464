#pragma once
// Loads and stores of fewer than sixteen values, for ends of rows. Included after one of portable.h, avx2.h,
// avx512.h. Pure, any thread; nothing fails.

namespace {

// p[0 .. count), the other lanes `fill`. Requires 0 <= count <= 16.
inline F32x16 load_tail16(const float* p, int count, float fill) {
  float lanes[16];
  for (int i = 0; i < 16; ++i) lanes[i] = i < count ? p[i] : fill;
  return load16(lanes);
}
inline void store_tail16(float* p, int count, F32x16 a) {
  float lanes[16];
  store16(lanes, a);
  for (int i = 0; i < count; ++i) p[i] = lanes[i];
}

// f(offset, lanes) for whole vectors, then once for what is left.
template <typename F>
inline void for_each16(int count, F f) {
  int i = 0;
  for (; i + 16 <= count; i += 16) f(i, 16);
  if (i < count) f(i, count - i);
}
inline F32x16 load_lanes16(const float* p, int lanes, float fill) {
  return lanes == 16 ? load16(p) : load_tail16(p, lanes, fill);
}
inline void store_lanes16(float* p, int lanes, F32x16 a) {
  if (lanes == 16) {
    store16(p, a);
  } else {
    store_tail16(p, lanes, a);
  }
}

}  // namespace
