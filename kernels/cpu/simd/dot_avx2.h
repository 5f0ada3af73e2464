#pragma once
// The primitives of dot_portable.h in AVX2, over avx2.h. A line is two registers of 8 outputs. Pure, any
// thread; nothing fails.

#include <immintrin.h>

#include <cstdint>
#include <cstring>

#include "kernels/cpu/simd/avx2.h"

#define PARLEY_UNROLL _Pragma("GCC unroll 8")

namespace {

// u8 x s8 pairs of 8-bit weights overflow the saturating vpmaddubsw: such weights are read as signed values,
// and the product is taken with the sign on the other side.
constexpr bool kSignedBytes = true;
constexpr int kMaxFewRows = 4;
constexpr int kFewPanels = 1;
constexpr int kManyRows = 4;
constexpr int kManyPanels = 1;

struct Line {
  __m256i low, high;  // outputs 0 .. 7, 8 .. 15
};
struct Four {
  __m256i v;
};

inline Line load_line(const void* p) {
  const auto* q = static_cast<const __m256i*>(p);
  return {_mm256_load_si256(q), _mm256_load_si256(q + 1)};
}
inline void store_line(void* p, Line line) {
  auto* q = static_cast<__m256i*>(p);
  _mm256_store_si256(q, line.low);
  _mm256_store_si256(q + 1, line.high);
}
inline Line masked(Line line, char mask) {
  const __m256i bytes = _mm256_set1_epi8(mask);
  return {_mm256_and_si256(line.low, bytes), _mm256_and_si256(line.high, bytes)};
}
inline Line operator|(Line a, Line b) {
  return {_mm256_or_si256(a.low, b.low), _mm256_or_si256(a.high, b.high)};
}
template <int kBits>
inline Line up(Line line) {
  return {_mm256_slli_epi16(line.low, kBits), _mm256_slli_epi16(line.high, kBits)};
}
template <int kBits>
inline Line down(Line line) {
  return {_mm256_srli_epi16(line.low, kBits), _mm256_srli_epi16(line.high, kBits)};
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
inline Line to_signed(Line line) {
  const __m256i top = _mm256_set1_epi8(-128);
  return {_mm256_xor_si256(line.low, top), _mm256_xor_si256(line.high, top)};
}
inline Four load_four(const std::int8_t* a) {
  std::int32_t four;
  std::memcpy(&four, a, sizeof four);
  return {_mm256_set1_epi32(four)};
}

// g++ 12 puts the additions off to the end of a block, and spills every product until then; this stops it.
inline void keep_in_order(__m256i& low, __m256i& high) { asm("" : "+x"(low), "+x"(high)); }

inline __m256i widen_pairs(__m256i pairs) { return _mm256_madd_epi16(pairs, _mm256_set1_epi16(1)); }

constexpr int sum_bits(int bits) { return bits; }

// Sums of two products are kept in int16 as long as they fit: 2 * kRun products of at most (2^kBits - 1) *
// 127.
template <int kBits>
struct DotSum {
  static constexpr int kRun = kBits == 4 ? 8 : kBits == 5 ? 4 : 2;
  static_assert(2 * kRun * ((1 << kBits) - 1) * 127 < 32768);
  __m256i pair_low, pair_high;
  __m256i sum_low, sum_high;

  void start(std::int32_t) {}
  void add(Line line, Four a, int g) {
    const __m256i low = _mm256_maddubs_epi16(line.low, a.v);
    const __m256i high = _mm256_maddubs_epi16(line.high, a.v);
    const bool first = g % kRun == 0;
    pair_low = first ? low : _mm256_add_epi16(pair_low, low);
    pair_high = first ? high : _mm256_add_epi16(pair_high, high);
    keep_in_order(pair_low, pair_high);
    if (g % kRun != kRun - 1) return;
    const __m256i wide_low = widen_pairs(pair_low);
    const __m256i wide_high = widen_pairs(pair_high);
    sum_low = g < kRun ? wide_low : _mm256_add_epi32(sum_low, wide_low);
    sum_high = g < kRun ? wide_high : _mm256_add_epi32(sum_high, wide_high);
    keep_in_order(sum_low, sum_high);
  }
  I32x16 finish(std::int32_t x) const {
    const __m256i start = _mm256_set1_epi32(x);
    return {_mm256_add_epi32(sum_low, start), _mm256_add_epi32(sum_high, start)};
  }
};

template <>
struct DotSum<8> {
  __m256i sum_low, sum_high;

  void start(std::int32_t) {}
  void add(Line line, Four a, int g) {
    const __m256i low = _mm256_maddubs_epi16(_mm256_abs_epi8(line.low), _mm256_sign_epi8(a.v, line.low));
    const __m256i high = _mm256_maddubs_epi16(_mm256_abs_epi8(line.high), _mm256_sign_epi8(a.v, line.high));
    sum_low = g == 0 ? widen_pairs(low) : _mm256_add_epi32(sum_low, widen_pairs(low));
    sum_high = g == 0 ? widen_pairs(high) : _mm256_add_epi32(sum_high, widen_pairs(high));
    keep_in_order(sum_low, sum_high);
  }
  I32x16 finish(std::int32_t) const { return {sum_low, sum_high}; }
};

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
