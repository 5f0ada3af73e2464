#pragma once
// The primitives of portable.h as one 16-lane AVX-512 register. Same results, bit for bit. Pure, any thread;
// nothing fails.

#include <immintrin.h>

#include <cstdint>

namespace {

struct F32x16 {
  __m512 v;
};
struct I32x16 {
  __m512i v;
};

inline F32x16 zero16() { return {_mm512_setzero_ps()}; }
inline F32x16 broadcast16(float x) { return {_mm512_set1_ps(x)}; }
inline F32x16 load16(const float* p) { return {_mm512_loadu_ps(p)}; }
inline void store16(float* p, F32x16 a) { _mm512_storeu_ps(p, a.v); }
inline F32x16 operator+(F32x16 a, F32x16 b) { return {_mm512_add_ps(a.v, b.v)}; }
inline F32x16 operator-(F32x16 a, F32x16 b) { return {_mm512_sub_ps(a.v, b.v)}; }
inline F32x16 operator*(F32x16 a, F32x16 b) { return {_mm512_mul_ps(a.v, b.v)}; }
inline F32x16 operator/(F32x16 a, F32x16 b) { return {_mm512_div_ps(a.v, b.v)}; }
inline F32x16 fma16(F32x16 a, F32x16 b, F32x16 c) { return {_mm512_fmadd_ps(a.v, b.v, c.v)}; }
inline F32x16 max16(F32x16 a, F32x16 b) { return {_mm512_max_ps(a.v, b.v)}; }
inline F32x16 min16(F32x16 a, F32x16 b) { return {_mm512_min_ps(a.v, b.v)}; }
inline F32x16 abs16(F32x16 a) { return {_mm512_abs_ps(a.v)}; }
inline float sum16(F32x16 a) {
  const __m256 eight = _mm256_add_ps(_mm512_castps512_ps256(a.v), _mm512_extractf32x8_ps(a.v, 1));
  __m128 four = _mm_add_ps(_mm256_castps256_ps128(eight), _mm256_extractf128_ps(eight, 1));
  four = _mm_add_ps(four, _mm_movehl_ps(four, four));
  return _mm_cvtss_f32(_mm_add_ss(four, _mm_movehdup_ps(four)));
}
inline float max_lane16(F32x16 a) {
  const __m256 eight = _mm256_max_ps(_mm512_castps512_ps256(a.v), _mm512_extractf32x8_ps(a.v, 1));
  __m128 four = _mm_max_ps(_mm256_castps256_ps128(eight), _mm256_extractf128_ps(eight, 1));
  four = _mm_max_ps(four, _mm_movehl_ps(four, four));
  return _mm_cvtss_f32(_mm_max_ss(four, _mm_movehdup_ps(four)));
}
inline F32x16 to_float16(I32x16 a) { return {_mm512_cvtepi32_ps(a.v)}; }
inline I32x16 round_to_int16(F32x16 a) { return {_mm512_cvtps_epi32(a.v)}; }
inline F32x16 scale_by_power16(F32x16 a, I32x16 n) {
  return {_mm512_castsi512_ps(_mm512_add_epi32(_mm512_castps_si512(a.v), _mm512_slli_epi32(n.v, 23)))};
}
inline F32x16 load_half16(const std::uint16_t* p) {
  return {_mm512_cvtph_ps(_mm256_loadu_si256(reinterpret_cast<const __m256i*>(p)))};
}
inline void store_half16(std::uint16_t* p, F32x16 a) {
  _mm256_storeu_si256(reinterpret_cast<__m256i*>(p), _mm512_cvtps_ph(a.v, _MM_FROUND_TO_NEAREST_INT));
}
inline F32x16 load_bfloat16(const std::uint16_t* p) {
  const __m512i wide = _mm512_cvtepu16_epi32(_mm256_loadu_si256(reinterpret_cast<const __m256i*>(p)));
  return {_mm512_castsi512_ps(_mm512_slli_epi32(wide, 16))};
}
inline void store_int8x16(std::int8_t* p, I32x16 a) {
  _mm_storeu_si128(reinterpret_cast<__m128i*>(p), _mm512_cvtepi32_epi8(a.v));
}
inline std::uint32_t greater_mask16(F32x16 a, F32x16 b) { return _mm512_cmp_ps_mask(a.v, b.v, _CMP_GT_OQ); }
inline F32x16 zero_below16(F32x16 value, F32x16 x, F32x16 bound) {
  return {_mm512_maskz_mov_ps(_mm512_cmp_ps_mask(x.v, bound.v, _CMP_NLT_UQ), value.v)};
}
inline F32x16 first_lanes16(int count, F32x16 a, F32x16 b) {
  return {_mm512_mask_blend_ps(static_cast<__mmask16>((1u << count) - 1u), b.v, a.v)};
}
inline F32x16 swap_pairs16(F32x16 a) { return {_mm512_permute_ps(a.v, 0xb1)}; }
inline float fma1(float a, float b, float c) { return __builtin_fmaf(a, b, c); }

}  // namespace
