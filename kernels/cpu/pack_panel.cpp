#include "kernels/cpu/pack_panel.h"

#include <algorithm>
#include <cstring>

#include "kernels/cpu/panel_traits.h"
#include "kernels/dtypes/quant_block.h"

namespace parley::kernels::cpu {

namespace {

using dtypes::DType;
using dtypes::QuantBlock;

// Sixteen-bit fields at `offset` of a stored block go to entry `row` of a header line.
void copy_half(const std::byte* block, int offset, std::byte* line, int row) {
  std::memcpy(line + 2 * row, block + offset, 2);
}

void flip_sign_of_half(std::byte* line, int row) { line[2 * row + 1] ^= std::byte{0x80}; }

void write_sub_header(DType dtype, const std::byte* block, std::byte* header, int row) {
  std::byte* subs = header + 64;
  if (dtype == DType::q6_k) {
    copy_half(block, 208, header, row);
    for (int i = 0; i < 16; ++i) subs[kPanelRows * i + row] = block[192 + i];
    return;
  }
  copy_half(block, 0, header, row);
  copy_half(block, 2, header + 32, row);
  flip_sign_of_half(header + 32, row);  // the file subtracts dmin, the product adds
  std::uint8_t scales[8];
  std::uint8_t minima[8];
  dtypes::unpack_k_scales(block + 4, scales, minima);
  for (int i = 0; i < 8; ++i) {
    subs[32 * i + row] = static_cast<std::byte>(scales[i]);
    subs[32 * i + 16 + row] = static_cast<std::byte>(minima[i]);
  }
}

// Header entries of stored block `index` of the unit, for output `row` of the panel.
void write_header(DType dtype, const std::byte* block, int index, std::byte* header, int row) {
  if (dtypes::traits(dtype).block_elements != kBlockColumns)
    return write_sub_header(dtype, block, header, row);
  copy_half(block, 0, header + 32 * index, row);
  if (dtypes::has_minimum(dtype)) copy_half(block, 2, header + 64 + 32 * index, row);
}

void put_word(std::byte* block, int line, int row, std::uint32_t word) {
  std::memcpy(block + 64 * line + 4 * row, &word, sizeof word);
}

// The quants of one output and one block, [32] unsigned, into the lines of the block.
void write_quants(int bits, const std::uint8_t* quants, std::byte* block, int row) {
  std::uint32_t words[8];  // word g is line g: four quants; no shift below carries into the byte beside
  std::memcpy(words, quants, sizeof words);
  if (bits == 8) {
    for (int g = 0; g < 8; ++g) put_word(block, g, row, words[g]);
    return;
  }
  constexpr std::uint32_t kLow = 0x0f0f0f0fu;
  for (int g = 0; g < 4; ++g) put_word(block, g, row, (words[g] & kLow) | (words[g + 4] & kLow) << 4);
  if (bits == 4) return;
  std::uint32_t upper[2] = {};
  for (int g = 0; g < 8; ++g) {
    const std::uint32_t rest = words[g] >> 4 & kLow;
    if (bits == 5) upper[0] |= rest << g;
    if (bits == 6) upper[g / 4] |= rest << 2 * (g % 4);
  }
  for (int i = 0; i < bits - 4; ++i) put_word(block, 4 + i, row, upper[i]);
}

// The blocks of one output in a unit; `stored` is the first of them.
void pack_row_of_unit(DType dtype, const std::byte* stored, int columns, std::byte* unit, int row) {
  const PanelTraits traits = panel_traits(panel_format(dtype));
  const dtypes::DTypeTraits& type = dtypes::traits(dtype);
  std::byte* to = unit + traits.header_bytes;
  for (int index = 0; index < columns / type.block_elements; ++index, stored += type.block_bytes) {
    QuantBlock block;
    dtypes::unpack_block(dtype, stored, block);
    write_header(dtype, stored, index, unit, row);
    std::uint8_t quants[dtypes::kMaxBlockElements];
    for (int i = 0; i < type.block_elements; ++i)
      quants[i] = static_cast<std::uint8_t>(block.values[i] + traits.offset);
    for (int i = 0; i < type.block_elements; i += kBlockColumns, to += traits.block_bytes())
      write_quants(traits.bits, quants + i, to, row);
  }
}

template <typename Value>
void pack_floats(const dtypes::MatrixView& source, std::int64_t first_row, int num_rows, std::byte* panel) {
  const std::size_t stride = dtypes::row_bytes(source.dtype, source.columns);
  const std::byte* from = source.data + static_cast<std::size_t>(first_row) * stride;
  Value line[kPanelRows] = {};
  for (std::int64_t k = 0; k < source.columns; ++k, panel += sizeof line) {
    for (int row = 0; row < num_rows; ++row)
      std::memcpy(&line[row],
                  from + static_cast<std::size_t>(row) * stride + static_cast<std::size_t>(k) * sizeof(Value),
                  sizeof(Value));
    std::memcpy(panel, line, sizeof line);
  }
}

}  // namespace

void pack_panel(const dtypes::MatrixView& source, std::int64_t first_row, std::byte* panel) {
  const PanelFormat format = panel_format(source.dtype);
  const auto num_rows = static_cast<int>(std::min<std::int64_t>(kPanelRows, source.rows - first_row));
  if (format == PanelFormat::f32) return pack_floats<std::uint32_t>(source, first_row, num_rows, panel);
  if (is_float_format(format)) return pack_floats<std::uint16_t>(source, first_row, num_rows, panel);
  const PanelTraits traits = panel_traits(format);
  const std::size_t stride = dtypes::row_bytes(source.dtype, source.columns);
  for (std::int64_t column = 0; column < source.columns; column += traits.unit_columns) {
    const auto columns =
        static_cast<int>(std::min<std::int64_t>(traits.unit_columns, source.columns - column));
    const std::byte* stored =
        source.data + static_cast<std::size_t>(first_row) * stride + dtypes::row_bytes(source.dtype, column);
    for (int row = 0; row < num_rows; ++row)
      pack_row_of_unit(source.dtype, stored + static_cast<std::size_t>(row) * stride, columns, panel, row);
    panel += traits.unit_bytes();
  }
}

}  // namespace parley::kernels::cpu
