#include "kernels/cpu/unpack_panel.h"

#include <cassert>
#include <cstdint>
#include <cstring>

#include "kernels/cpu/panel_traits.h"
#include "kernels/dtypes/half.h"

namespace parley::kernels::cpu {

namespace {

// Entry `row` of a header line of sixteen f16.
float half_entry(const std::byte* line, int row) {
  std::uint16_t bits;
  std::memcpy(&bits, line + 2 * row, sizeof bits);
  return dtypes::half_to_float(bits);
}

// What sixteen inputs of one output have in common.
struct Scaling {
  float scale = 0.0f;
  float minimum = 0.0f;
};

// Of half `half` of block `block` of the unit whose header is given.
Scaling read_scaling(PanelHeader kind, const std::byte* header, int block, int half, int row) {
  const std::byte* subs = header + 64 + 32 * block;
  switch (kind) {
    case PanelHeader::half:
      return {.scale = half_entry(header + 32 * block, row)};
    case PanelHeader::half_min:
      return {.scale = half_entry(header + 32 * block, row),
              .minimum = half_entry(header + 64 + 32 * block, row)};
    case PanelHeader::sub_min:
      return {.scale = half_entry(header, row) * static_cast<float>(subs[row]),
              .minimum = half_entry(header + 32, row) * static_cast<float>(subs[16 + row])};
    case PanelHeader::sub_16:
      break;
  }
  const auto sub = static_cast<std::int8_t>(subs[16 * half + row]);
  return {.scale = half_entry(header, row) * static_cast<float>(sub)};
}

// The quants of one output and one block, [32] unsigned: the inverse of how they are packed.
void read_quants(int bits, const std::byte* block, int row, std::uint8_t* quants) {
  const auto word = [&](int line) {
    std::uint32_t bytes;
    std::memcpy(&bytes, block + 64 * line + 4 * row, sizeof bytes);
    return bytes;
  };
  std::uint32_t words[8];
  for (int g = 0; g < 8; ++g) {
    words[g] = bits == 8 ? word(g) : word(g % 4) >> (g < 4 ? 0 : 4) & 0x0f0f0f0fu;
    if (bits == 5) words[g] |= (word(4) >> g & 0x01010101u) << 4;
    if (bits == 6) words[g] |= (word(4 + g / 4) >> 2 * (g % 4) & 0x03030303u) << 4;
  }
  std::memcpy(quants, words, sizeof words);
}

void unpack_quantized(PanelFormat format, const std::byte* panel, int row, std::span<float> out) {
  const PanelTraits traits = panel_traits(format);
  const bool has_minimum = traits.header == PanelHeader::half_min || traits.header == PanelHeader::sub_min;
  const int blocks_of_unit = traits.unit_columns / kBlockColumns;
  const auto num_blocks = static_cast<int>(out.size()) / kBlockColumns;
  float* to = out.data();
  for (int b = 0; b < num_blocks; ++b) {
    const int block = b % blocks_of_unit;
    const std::byte* unit = panel + static_cast<std::size_t>(b / blocks_of_unit) * traits.unit_bytes();
    std::uint8_t quants[kBlockColumns];
    read_quants(traits.bits,
                unit + traits.header_bytes + static_cast<std::size_t>(block) * traits.block_bytes(), row,
                quants);
    for (int half = 0; half < 2; ++half) {
      const Scaling scaling = read_scaling(traits.header, unit, block, half, row);
      for (int i = 16 * half; i < 16 * (half + 1); ++i) {
        const float product = scaling.scale * static_cast<float>(quants[i] - traits.offset);
        *to++ = has_minimum ? product + scaling.minimum : product;
      }
    }
  }
}

template <typename Value, typename Widen>
void unpack_floats(const std::byte* panel, int row, std::span<float> out, const Widen& widen) {
  for (std::size_t k = 0; k < out.size(); ++k) {
    Value value;
    std::memcpy(&value, panel + (k * kPanelRows + static_cast<std::size_t>(row)) * sizeof value,
                sizeof value);
    out[k] = widen(value);
  }
}

}  // namespace

void unpack_panel_row(PanelFormat format, const std::byte* panel, int row, std::span<float> out) {
  assert(row >= 0 && row < kPanelRows);
  switch (format) {
    case PanelFormat::f32:
      return unpack_floats<float>(panel, row, out, [](float value) { return value; });
    case PanelFormat::f16:
      return unpack_floats<std::uint16_t>(panel, row, out, dtypes::half_to_float);
    case PanelFormat::bf16:
      return unpack_floats<std::uint16_t>(panel, row, out, dtypes::bfloat16_to_float);
    default:
      return unpack_quantized(format, panel, row, out);
  }
}

}  // namespace parley::kernels::cpu
