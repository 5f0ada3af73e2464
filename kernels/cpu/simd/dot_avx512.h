#pragma once
// The primitives of dot_portable.h in AVX-512 with VNNI, over avx512.h.

#include <immintrin.h>

#include <cstdint>
#include <cstring>

#include "kernels/cpu/simd/avx512.h"

namespace {

struct Line {
  __m512i v;
};

inline Line load_line(const void* p) { return {_mm512_load_si512(p)}; }
inline Line low_nibbles(Line line) { return {_mm512_and_si512(line.v, _mm512_set1_epi8(15))}; }
inline Line high_nibbles(Line line) {
  return {_mm512_and_si512(_mm512_srli_epi16(line.v, 4), _mm512_set1_epi8(15))};
}
inline I32x16 broadcast_i32x16(std::int32_t x) { return {_mm512_set1_epi32(x)}; }
inline I32x16 dot_line(I32x16 acc, Line line, const std::int8_t* a) {
  std::int32_t four;
  std::memcpy(&four, a, sizeof four);
  return {_mm512_dpbusd_epi32(acc.v, line.v, _mm512_set1_epi32(four))};
}
inline F32x16 load_u8x16_as_float(const void* p) {
  return {_mm512_cvtepi32_ps(_mm512_cvtepu8_epi32(_mm_loadu_si128(static_cast<const __m128i*>(p))))};
}
inline F32x16 load_i8x16_as_float(const void* p) {
  return {_mm512_cvtepi32_ps(_mm512_cvtepi8_epi32(_mm_loadu_si128(static_cast<const __m128i*>(p))))};
}

}  // namespace
