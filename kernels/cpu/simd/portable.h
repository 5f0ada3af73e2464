#pragma once
// Sixteen lanes of float or int32 in plain C++: the meaning of every primitive. avx2.h and avx512.h define
// the same names with the same results, bit for bit. Exactly one of the three is included by a source file,
// ahead of the kernels written over it; everything is in an anonymous namespace, so that no copy compiled for
// one instruction set can be linked into another. Pure, any thread; nothing fails.

#include <cmath>
#include <cstdint>
#include <cstring>

namespace {

struct F32x16 {
  float lane[16];
};
struct I32x16 {
  std::int32_t lane[16];
};

template <typename F>
inline F32x16 map16(F f) {
  F32x16 r;
  for (int i = 0; i < 16; ++i) r.lane[i] = f(i);
  return r;
}

inline F32x16 zero16() {
  return map16([](int) { return 0.0f; });
}
inline F32x16 broadcast16(float x) {
  return map16([=](int) { return x; });
}
inline F32x16 load16(const float* p) {
  return map16([=](int i) { return p[i]; });
}
inline void store16(float* p, F32x16 a) { std::memcpy(p, a.lane, sizeof a.lane); }
inline F32x16 operator+(F32x16 a, F32x16 b) {
  return map16([&](int i) { return a.lane[i] + b.lane[i]; });
}
inline F32x16 operator-(F32x16 a, F32x16 b) {
  return map16([&](int i) { return a.lane[i] - b.lane[i]; });
}
inline F32x16 operator*(F32x16 a, F32x16 b) {
  return map16([&](int i) { return a.lane[i] * b.lane[i]; });
}
inline F32x16 operator/(F32x16 a, F32x16 b) {
  return map16([&](int i) { return a.lane[i] / b.lane[i]; });
}
// a * b + c with one rounding.
inline F32x16 fma16(F32x16 a, F32x16 b, F32x16 c) {
  return map16([&](int i) { return std::fma(a.lane[i], b.lane[i], c.lane[i]); });
}
// As the x86 instructions: the second operand when either is NaN.
inline F32x16 max16(F32x16 a, F32x16 b) {
  return map16([&](int i) { return a.lane[i] > b.lane[i] ? a.lane[i] : b.lane[i]; });
}
inline F32x16 min16(F32x16 a, F32x16 b) {
  return map16([&](int i) { return a.lane[i] < b.lane[i] ? a.lane[i] : b.lane[i]; });
}
inline F32x16 abs16(F32x16 a) {
  return map16([&](int i) { return std::fabs(a.lane[i]); });
}

// Lane i joins lane i + 8, then + 4, + 2, + 1: the order is part of the result.
inline float sum16(F32x16 a) {
  for (int half = 8; half >= 1; half /= 2)
    for (int i = 0; i < half; ++i) a.lane[i] += a.lane[i + half];
  return a.lane[0];
}
inline float max_lane16(F32x16 a) {
  for (int half = 8; half >= 1; half /= 2)
    for (int i = 0; i < half; ++i) a.lane[i] = a.lane[i] > a.lane[i + half] ? a.lane[i] : a.lane[i + half];
  return a.lane[0];
}

inline F32x16 to_float16(I32x16 a) {
  return map16([&](int i) { return static_cast<float>(a.lane[i]); });
}
// Rounds to nearest, ties to even. Requires |a| < 2^31.
inline I32x16 round_to_int16(F32x16 a) {
  I32x16 r;
  for (int i = 0; i < 16; ++i) r.lane[i] = static_cast<std::int32_t>(std::nearbyintf(a.lane[i]));
  return r;
}
// a * 2^n by adding to the exponent. Requires a result in the normal range, or a == 0 with n == 0.
inline F32x16 scale_by_power16(F32x16 a, I32x16 n) {
  F32x16 r;
  for (int i = 0; i < 16; ++i) {
    std::uint32_t bits;
    std::memcpy(&bits, &a.lane[i], 4);
    bits += static_cast<std::uint32_t>(n.lane[i]) << 23;
    std::memcpy(&r.lane[i], &bits, 4);
  }
  return r;
}

inline float half_bits_to_float(std::uint16_t h) {
  const std::uint32_t sign = static_cast<std::uint32_t>(h & 0x8000u) << 16;
  const std::uint32_t exponent = (h >> 10) & 31u;
  const std::uint32_t mantissa = h & 1023u;
  std::uint32_t bits;
  if (exponent == 31u) {
    bits = sign | 0x7f800000u | (mantissa << 13) | (mantissa != 0 ? 0x400000u : 0u);
  } else if (exponent != 0) {
    bits = sign | ((exponent + 112u) << 23) | (mantissa << 13);
  } else {
    float f = static_cast<float>(mantissa) * 0x1p-24f;
    std::memcpy(&bits, &f, 4);
    bits |= sign;
  }
  float f;
  std::memcpy(&f, &bits, 4);
  return f;
}
inline std::uint16_t float_to_half_bits(float value) {
  std::uint32_t bits;
  std::memcpy(&bits, &value, 4);
  const std::uint32_t sign = (bits >> 16) & 0x8000u;
  const std::uint32_t magnitude = bits & 0x7fffffffu;
  if (magnitude > 0x7f800000u)
    return static_cast<std::uint16_t>(sign | 0x7e00u | ((magnitude >> 13) & 0x3ffu));
  if (magnitude >= 0x477ff000u) return static_cast<std::uint16_t>(sign | 0x7c00u);  // rounds to infinity
  if (magnitude < 0x38800000u) {                                                    // subnormal half or zero
    float f;
    std::memcpy(&f, &magnitude, 4);
    return static_cast<std::uint16_t>(sign | static_cast<std::uint32_t>(std::nearbyintf(f * 0x1p24f)));
  }
  const std::uint32_t odd = (magnitude >> 13) & 1u;
  return static_cast<std::uint16_t>(sign | ((magnitude - 0x38000000u + 0xfffu + odd) >> 13));
}
inline F32x16 load_half16(const std::uint16_t* p) {
  return map16([=](int i) { return half_bits_to_float(p[i]); });
}
inline void store_half16(std::uint16_t* p, F32x16 a) {
  for (int i = 0; i < 16; ++i) p[i] = float_to_half_bits(a.lane[i]);
}
inline F32x16 load_bfloat16(const std::uint16_t* p) {
  F32x16 r;
  for (int i = 0; i < 16; ++i) {
    const std::uint32_t bits = static_cast<std::uint32_t>(p[i]) << 16;
    std::memcpy(&r.lane[i], &bits, 4);
  }
  return r;
}
// The low byte of each lane. Requires -128 <= lane <= 127.
inline void store_int8x16(std::int8_t* p, I32x16 a) {
  for (int i = 0; i < 16; ++i) p[i] = static_cast<std::int8_t>(a.lane[i]);
}

// Bit i is set when a.lane[i] > b.lane[i], which no NaN is.
inline std::uint32_t greater_mask16(F32x16 a, F32x16 b) {
  std::uint32_t mask = 0;
  for (int i = 0; i < 16; ++i) mask |= static_cast<std::uint32_t>(a.lane[i] > b.lane[i] ? 1 : 0) << i;
  return mask;
}
// value, but 0 in the lanes where x < bound.
inline F32x16 zero_below16(F32x16 value, F32x16 x, F32x16 bound) {
  return map16([&](int i) { return x.lane[i] < bound.lane[i] ? 0.0f : value.lane[i]; });
}
// The first `count` lanes of a, the other lanes of b. Requires 0 <= count <= 16.
inline F32x16 first_lanes16(int count, F32x16 a, F32x16 b) {
  return map16([&](int i) { return i < count ? a.lane[i] : b.lane[i]; });
}
// Exchanges lanes 2i and 2i + 1.
inline F32x16 swap_pairs16(F32x16 a) {
  return map16([&](int i) { return a.lane[i ^ 1]; });
}
// One lane of fma16.
inline float fma1(float a, float b, float c) { return std::fma(a, b, c); }

}  // namespace
