#pragma once
// Integer products of a panel line (64 bytes: 16 outputs x 4 inputs) in plain C++, over portable.h.
// dot_avx2.h and dot_avx512.h define the same names with the same results.

#include <cstdint>
#include <cstring>

#include "kernels/cpu/simd/portable.h"

namespace {

struct Line {
  std::uint8_t byte[64];
};

inline Line load_line(const void* p) {
  Line line;
  std::memcpy(line.byte, p, sizeof line.byte);
  return line;
}
inline Line low_nibbles(Line line) {
  for (auto& byte : line.byte) byte &= 15;
  return line;
}
inline Line high_nibbles(Line line) {
  for (auto& byte : line.byte) byte = static_cast<std::uint8_t>(byte >> 4);
  return line;
}
inline I32x16 broadcast_i32x16(std::int32_t x) {
  I32x16 r;
  for (auto& lane : r.lane) lane = x;
  return r;
}
// acc[i] + sum over k of line[4 * i + k] * a[k].
inline I32x16 dot_line(I32x16 acc, Line line, const std::int8_t* a) {
  for (int i = 0; i < 16; ++i)
    for (int k = 0; k < 4; ++k) acc.lane[i] += line.byte[4 * i + k] * a[k];
  return acc;
}
inline F32x16 load_u8x16_as_float(const void* p) {
  std::uint8_t bytes[16];
  std::memcpy(bytes, p, sizeof bytes);
  F32x16 r;
  for (int i = 0; i < 16; ++i) r.lane[i] = static_cast<float>(bytes[i]);
  return r;
}
inline F32x16 load_i8x16_as_float(const void* p) {
  std::int8_t bytes[16];
  std::memcpy(bytes, p, sizeof bytes);
  F32x16 r;
  for (int i = 0; i < 16; ++i) r.lane[i] = static_cast<float>(bytes[i]);
  return r;
}

}  // namespace
