#pragma once
// The primitives of dot_portable.h in AVX2, over avx2.h.

#include <immintrin.h>

#include <cstdint>
#include <cstring>

#include "kernels/cpu/simd/avx2.h"

namespace {

struct Line {
  __m256i low, high;  // outputs 0 .. 7, 8 .. 15
};

inline Line load_line(const void* p) {
  const auto* q = static_cast<const __m256i*>(p);
  return {_mm256_load_si256(q), _mm256_load_si256(q + 1)};
}
inline Line low_nibbles(Line line) {
  const __m256i mask = _mm256_set1_epi8(15);
  return {_mm256_and_si256(line.low, mask), _mm256_and_si256(line.high, mask)};
}
inline Line high_nibbles(Line line) {
  return low_nibbles({_mm256_srli_epi16(line.low, 4), _mm256_srli_epi16(line.high, 4)});
}
inline I32x16 broadcast_i32x16(std::int32_t x) { return {_mm256_set1_epi32(x), _mm256_set1_epi32(x)}; }
inline I32x16 dot_line(I32x16 acc, Line line, const std::int8_t* a) {
  std::int32_t four;
  std::memcpy(&four, a, sizeof four);
  // Even and odd bytes apart as 16-bit words: u8 x s8 pairs would overflow the saturating byte product.
  const __m256i bytes = _mm256_set1_epi32(four);
  const __m256i even = _mm256_srai_epi16(_mm256_slli_epi16(bytes, 8), 8);
  const __m256i odd = _mm256_srai_epi16(bytes, 8);
  const __m256i mask = _mm256_set1_epi16(255);
  const auto dot = [&](__m256i sum, __m256i w) {
    sum = _mm256_add_epi32(sum, _mm256_madd_epi16(_mm256_and_si256(w, mask), even));
    return _mm256_add_epi32(sum, _mm256_madd_epi16(_mm256_srli_epi16(w, 8), odd));
  };
  return {dot(acc.low, line.low), dot(acc.high, line.high)};
}
inline F32x16 load_u8x16_as_float(const void* p) {
  const __m128i bytes = _mm_loadu_si128(static_cast<const __m128i*>(p));
  return {_mm256_cvtepi32_ps(_mm256_cvtepu8_epi32(bytes)),
          _mm256_cvtepi32_ps(_mm256_cvtepu8_epi32(_mm_srli_si128(bytes, 8)))};
}
inline F32x16 load_i8x16_as_float(const void* p) {
  const __m128i bytes = _mm_loadu_si128(static_cast<const __m128i*>(p));
  return {_mm256_cvtepi32_ps(_mm256_cvtepi8_epi32(bytes)),
          _mm256_cvtepi32_ps(_mm256_cvtepi8_epi32(_mm_srli_si128(bytes, 8)))};
}

}  // namespace
