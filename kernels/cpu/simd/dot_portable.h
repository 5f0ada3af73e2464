#pragma once
// Integer products of a panel line (64 bytes: 16 outputs x 4 inputs) in plain C++, over portable.h.
// dot_avx2.h and dot_avx512.h define the same names with the same results. Pure, any thread; nothing fails.

#include <cstdint>
#include <cstring>

#include "kernels/cpu/simd/portable.h"

// Put before a short loop over registers. Nothing here: unrolled plain C++ takes minutes to compile and gains
// nothing.
#define PARLEY_UNROLL

namespace {

// Whether 8-bit weights (offset 128) are multiplied as signed values, that is without the offset.
constexpr bool kSignedBytes = false;
// Up to kMaxFewRows rows: each weight goes from memory to registers, kFewPanels panels side by side. Above:
// chunks of kManyPanels panels are unpacked into the cache and meet kManyRows rows at a time. As the
// registers allow.
constexpr int kMaxFewRows = 4;
constexpr int kFewPanels = 1;
constexpr int kManyRows = 4;
constexpr int kManyPanels = 1;

struct Line {
  std::uint8_t byte[64];
};
struct Four {
  std::int8_t value[4];
};

inline Line load_line(const void* p) {
  Line line;
  std::memcpy(line.byte, p, sizeof line.byte);
  return line;
}
inline void store_line(void* p, Line line) { std::memcpy(p, line.byte, sizeof line.byte); }
inline Line low_nibbles(Line line) {
  for (auto& byte : line.byte) byte &= 15;
  return line;
}
inline Line high_nibbles(Line line) {
  for (auto& byte : line.byte) byte = static_cast<std::uint8_t>(byte >> 4);
  return line;
}
// Bit g of each byte, as its bit 4.
inline Line fifth_bits(Line line, int g) {
  for (auto& byte : line.byte) byte = static_cast<std::uint8_t>((byte >> g & 1) << 4);
  return line;
}
// Bits 2g and 2g + 1 of each byte, as its bits 4 and 5.
inline Line upper_bits(Line line, int g) {
  for (auto& byte : line.byte) byte = static_cast<std::uint8_t>((byte >> 2 * g & 3) << 4);
  return line;
}
inline Line operator|(Line a, Line b) {
  for (int i = 0; i < 64; ++i) a.byte[i] |= b.byte[i];
  return a;
}
// From offset 128 to signed bytes.
inline Line to_signed(Line line) {
  for (auto& byte : line.byte) byte ^= 128;
  return line;
}
inline Four load_four(const std::int8_t* a) {
  Four four;
  std::memcpy(four.value, a, sizeof four.value);
  return four;
}

// DotSum types with the same number are the same: fewer kernels to compile.
constexpr int sum_bits(int) { return 8; }

// The integer sum of a run of lines for 16 outputs; weights are below 2^kBits. Start, add lines 0, 1, 2 ..
// (`g` counts them), finish; start() and finish() get the same start value.
template <int kBits>
struct DotSum {
  I32x16 sum;

  void start(std::int32_t x) {
    for (auto& lane : sum.lane) lane = x;
  }
  // sum[i] += sum over k of line[4 * i + k] * a[k].
  void add(const Line& line, Four a, int) {
    for (int i = 0; i < 16; ++i)
      for (int k = 0; k < 4; ++k) sum.lane[i] += line.byte[4 * i + k] * a.value[k];
  }
  I32x16 finish(std::int32_t) const { return sum; }
};

inline F32x16 load_u8x16_as_float(const void* p) {
  std::uint8_t bytes[16];
  std::memcpy(bytes, p, sizeof bytes);
  return map16([&](int i) { return static_cast<float>(bytes[i]); });
}
inline F32x16 load_i8x16_as_float(const void* p) {
  std::int8_t bytes[16];
  std::memcpy(bytes, p, sizeof bytes);
  return map16([&](int i) { return static_cast<float>(bytes[i]); });
}

}  // namespace
