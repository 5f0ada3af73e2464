#pragma once
// The primitives of dot_portable.h in AVX-512 with VNNI, over avx512.h. Pure, any thread; nothing fails.

#include <immintrin.h>

#include <cstdint>
#include <cstring>

#include "kernels/cpu/simd/avx512.h"

#define PARLEY_UNROLL _Pragma("GCC unroll 8")

namespace {

constexpr bool kSignedBytes = false;
constexpr int kMaxFewRows = 8;
constexpr int kFewPanels = 4;
constexpr int kManyRows =
    8;  // x 2 panels: 16 integer sums, two lines, an activation; the f32 sums come and go
constexpr int kManyPanels = 2;

struct Line {
  __m512i v;
};
struct Four {
  __m512i v;
};

inline Line load_line(const void* p) { return {_mm512_load_si512(p)}; }
inline void store_line(void* p, Line line) { _mm512_store_si512(p, line.v); }
inline Line masked(Line line, char mask) { return {_mm512_and_si512(line.v, _mm512_set1_epi8(mask))}; }
inline Line operator|(Line a, Line b) { return {_mm512_or_si512(a.v, b.v)}; }
template <int kBits>
inline Line up(Line line) {
  return {_mm512_slli_epi16(line.v, kBits)};
}
template <int kBits>
inline Line down(Line line) {
  return {_mm512_srli_epi16(line.v, kBits)};
}
inline Line low_nibbles(Line line) { return masked(line, 15); }
inline Line high_nibbles(Line line) { return masked(down<4>(line), 15); }
// The bits wanted are moved to their place, whatever else comes along from the byte beside is masked off.
inline Line fifth_bits(Line line, int g) {
  const Line moved = g == 0   ? up<4>(line)
                     : g == 1 ? up<3>(line)
                     : g == 2 ? up<2>(line)
                     : g == 3 ? up<1>(line)
                     : g == 4 ? line
                     : g == 5 ? down<1>(line)
                     : g == 6 ? down<2>(line)
                              : down<3>(line);
  return masked(moved, 0x10);
}
inline Line upper_bits(Line line, int g) {
  const Line moved = g == 0 ? up<4>(line) : g == 1 ? up<2>(line) : g == 2 ? line : down<2>(line);
  return masked(moved, 0x30);
}
inline Line to_signed(Line line) { return {_mm512_xor_si512(line.v, _mm512_set1_epi8(-128))}; }
inline Four load_four(const std::int8_t* a) {
  std::int32_t four;
  std::memcpy(&four, a, sizeof four);
  return {_mm512_set1_epi32(four)};
}

constexpr int sum_bits(int) { return 8; }

template <int kBits>
struct DotSum {
  __m512i sum;

  void start(std::int32_t x) { sum = _mm512_set1_epi32(x); }
  void add(Line line, Four a, int) { sum = _mm512_dpbusd_epi32(sum, line.v, a.v); }
  I32x16 finish(std::int32_t) const { return {sum}; }
};

inline F32x16 load_u8x16_as_float(const void* p) {
  return {_mm512_cvtepi32_ps(_mm512_cvtepu8_epi32(_mm_loadu_si128(static_cast<const __m128i*>(p))))};
}
inline F32x16 load_i8x16_as_float(const void* p) {
  return {_mm512_cvtepi32_ps(_mm512_cvtepi8_epi32(_mm_loadu_si128(static_cast<const __m128i*>(p))))};
}

}  // namespace
