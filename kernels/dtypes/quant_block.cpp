#include "kernels/dtypes/quant_block.h"

#include <cassert>
#include <cstring>

#include "kernels/dtypes/half.h"

namespace parley::kernels::dtypes {

namespace {

const std::uint8_t* bytes_of(const std::byte* block) { return reinterpret_cast<const std::uint8_t*>(block); }

float half_at(const std::byte* bytes) {
  std::uint16_t bits;
  std::memcpy(&bits, bytes, sizeof bits);
  return half_to_float(bits);
}

void fill_scale(QuantBlock& out, float scale) { out.scale[0] = out.scale[1] = scale; }

// 32 nibbles: the low ones are values 0 .. 15, the high ones 16 .. 31.
void split_nibbles(const std::uint8_t* packed, int offset, std::int8_t* values) {
  for (int i = 0; i < 16; ++i) {
    values[i] = static_cast<std::int8_t>((packed[i] & 15) - offset);
    values[i + 16] = static_cast<std::int8_t>((packed[i] >> 4) - offset);
  }
}

// Byte i is 16 where bit i of `bits` is set, else 0.
std::uint64_t spread_to_fifth_bits(std::uint8_t bits) {
  const std::uint64_t one_each = (bits * 0x0101010101010101u) & 0x8040201008040201u;
  const std::uint64_t at_top = (one_each + 0x00406070787c7e7fu) & 0x8080808080808080u;
  return at_top >> 3;
}

// As split_nibbles, with a fifth bit for value i in bit i of `high`.
void split_five_bits(const std::byte* high, const std::uint8_t* packed, int offset, std::int8_t* values) {
  std::uint8_t fifth[32];
  for (int i = 0; i < 4; ++i) {
    const std::uint64_t eight = spread_to_fifth_bits(static_cast<std::uint8_t>(high[i]));
    std::memcpy(fifth + 8 * i, &eight, sizeof eight);
  }
  for (int i = 0; i < 16; ++i) {
    values[i] = static_cast<std::int8_t>(((packed[i] & 15) | fifth[i]) - offset);
    values[i + 16] = static_cast<std::int8_t>(((packed[i] >> 4) | fifth[i + 16]) - offset);
  }
}

// d and dmin, f16, are followed by the 12 bytes of sub-scales in both Q4_K and Q5_K.
void unpack_k_header(const std::byte* block, QuantBlock& out) {
  const float scale = half_at(block);
  const float minimum = half_at(block + 2);
  std::uint8_t scales[8];
  std::uint8_t minima[8];
  unpack_k_scales(block + 4, scales, minima);
  for (int i = 0; i < 8; ++i) {
    out.scale[2 * i] = out.scale[2 * i + 1] = scale * static_cast<float>(scales[i]);
    out.minimum[i] = -(minimum * static_cast<float>(minima[i]));
  }
}

void unpack_q4_k(const std::byte* block, QuantBlock& out) {
  unpack_k_header(block, out);
  const std::uint8_t* quants = bytes_of(block) + 16;
  for (int pair = 0; pair < 4; ++pair) {  // 32 bytes hold two groups of 32: low nibbles, then high
    for (int i = 0; i < 32; ++i) {
      out.values[64 * pair + i] = static_cast<std::int8_t>(quants[32 * pair + i] & 15);
      out.values[64 * pair + 32 + i] = static_cast<std::int8_t>(quants[32 * pair + i] >> 4);
    }
  }
}

void unpack_q5_k(const std::byte* block, QuantBlock& out) {
  unpack_k_header(block, out);
  const std::uint8_t* high = bytes_of(block) + 16;  // bit g of byte i: fifth bit of value i of group g
  const std::uint8_t* quants = high + 32;
  for (int pair = 0; pair < 4; ++pair) {
    for (int i = 0; i < 32; ++i) {
      const int low_bit = (high[i] >> (2 * pair)) & 1;
      const int high_bit = (high[i] >> (2 * pair + 1)) & 1;
      out.values[64 * pair + i] = static_cast<std::int8_t>((quants[32 * pair + i] & 15) | (low_bit << 4));
      out.values[64 * pair + 32 + i] =
          static_cast<std::int8_t>((quants[32 * pair + i] >> 4) | (high_bit << 4));
    }
  }
}

void unpack_q6_k(const std::byte* block, QuantBlock& out) {
  const std::uint8_t* low = bytes_of(block);
  const std::uint8_t* high = low + 128;
  const auto* scales = reinterpret_cast<const std::int8_t*>(high + 64);
  const float scale = half_at(block + 208);
  for (int i = 0; i < 16; ++i) out.scale[i] = scale * static_cast<float>(scales[i]);
  for (int half = 0; half < 2; ++half) {  // 128 values from 64 low bytes and 32 high bytes
    for (int i = 0; i < 32; ++i) {
      std::int8_t* value = out.values + 128 * half + i;
      const int top = high[32 * half + i];
      const int first = low[64 * half + i];
      const int second = low[64 * half + 32 + i];
      value[0] = static_cast<std::int8_t>(((first & 15) | ((top & 3) << 4)) - 32);
      value[32] = static_cast<std::int8_t>(((second & 15) | (((top >> 2) & 3) << 4)) - 32);
      value[64] = static_cast<std::int8_t>(((first >> 4) | (((top >> 4) & 3) << 4)) - 32);
      value[96] = static_cast<std::int8_t>(((second >> 4) | ((top >> 6) << 4)) - 32);
    }
  }
}

}  // namespace

bool is_quantized(DType dtype) { return dtype >= DType::q4_0; }

bool has_minimum(DType dtype) {
  return dtype == DType::q4_1 || dtype == DType::q5_1 || dtype == DType::q4_k || dtype == DType::q5_k;
}

void unpack_k_scales(const std::byte* packed, std::uint8_t scales[8], std::uint8_t minima[8]) {
  const std::uint8_t* p = bytes_of(packed);
  for (int i = 0; i < 4; ++i) {
    scales[i] = p[i] & 63;
    minima[i] = p[i + 4] & 63;
    scales[i + 4] = static_cast<std::uint8_t>((p[i + 8] & 15) | ((p[i] >> 6) << 4));
    minima[i + 4] = static_cast<std::uint8_t>((p[i + 8] >> 4) | ((p[i + 4] >> 6) << 4));
  }
}

void unpack_block(DType dtype, const std::byte* block, QuantBlock& out) {
  switch (dtype) {
    case DType::q4_0:
      fill_scale(out, half_at(block));
      return split_nibbles(bytes_of(block) + 2, 8, out.values);
    case DType::q4_1:
      fill_scale(out, half_at(block));
      out.minimum[0] = half_at(block + 2);
      return split_nibbles(bytes_of(block) + 4, 0, out.values);
    case DType::q5_0:
      fill_scale(out, half_at(block));
      return split_five_bits(block + 2, bytes_of(block) + 6, 16, out.values);
    case DType::q5_1:
      fill_scale(out, half_at(block));
      out.minimum[0] = half_at(block + 2);
      return split_five_bits(block + 4, bytes_of(block) + 8, 0, out.values);
    case DType::q8_0:
      fill_scale(out, half_at(block));
      std::memcpy(out.values, block + 2, 32);
      return;
    case DType::q4_k:
      return unpack_q4_k(block, out);
    case DType::q5_k:
      return unpack_q5_k(block, out);
    case DType::q6_k:
      return unpack_q6_k(block, out);
    case DType::f32:
    case DType::f16:
    case DType::bf16:
      break;
  }
  assert(false && "not a quantised type");
}

}  // namespace parley::kernels::dtypes
