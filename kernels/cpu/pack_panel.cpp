#include "kernels/cpu/pack_panel.h"

#include <algorithm>
#include <cassert>
#include <cstring>

#include "kernels/dtypes/quant_block.h"

namespace parley::kernels::cpu {

namespace {

using dtypes::DType;
using dtypes::QuantBlock;

struct FormatTraits {
  int unit_columns;  // inputs of a unit
  int header_bytes;
  int bits;         // of a packed quant
  int offset;       // added to make it unsigned
  bool sub_scales;  // header of the sub_min and sub_16 kind
};

FormatTraits format_traits(PanelFormat format) {
  switch (format) {
    case PanelFormat::p4_half:
      return {64, 64, 4, 8, false};
    case PanelFormat::p4_half_min:
      return {64, 128, 4, 0, false};
    case PanelFormat::p4_sub_min:
      return {256, 320, 4, 0, true};
    case PanelFormat::p8_half_5bit:
      return {64, 64, 8, 16, false};
    case PanelFormat::p8_half:
      return {64, 64, 8, 128, false};
    case PanelFormat::p8_half_min:
      return {64, 128, 8, 0, false};
    case PanelFormat::p8_sub_min:
      return {256, 320, 8, 0, true};
    case PanelFormat::p8_sub_16:
      return {256, 320, 8, 32, true};
    default:
      assert(false && "a float format has no units");
      return {};
  }
}

std::size_t unit_bytes(const FormatTraits& traits) {
  return static_cast<std::size_t>(traits.header_bytes + kPanelRows * traits.unit_columns * traits.bits / 8);
}

std::size_t float_bytes(PanelFormat format) { return format == PanelFormat::f32 ? 4 : 2; }

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

// Four bytes as one word; byte-wise sums and shifts of quants never carry into the next byte.
std::uint32_t word_at(const std::uint8_t* values) {
  std::uint32_t word;
  std::memcpy(&word, values, sizeof word);
  return word;
}

// quants [16][unit_columns], unsigned, interleaved into lines.
void write_quants(const FormatTraits& traits, const std::uint8_t* quants, std::byte* out) {
  const int words = traits.bits == 4 ? 4 : 8;  // of a block and output
  for (int block = 0; block < traits.unit_columns / kBlockColumns; ++block) {
    for (int g = 0; g < words; ++g) {
      std::uint32_t line[kPanelRows];
      for (int row = 0; row < kPanelRows; ++row) {
        const std::uint8_t* values = quants + row * traits.unit_columns + block * kBlockColumns + 4 * g;
        line[row] = word_at(values);
        if (traits.bits == 4) line[row] |= word_at(values + 16) << 4;
      }
      std::memcpy(out, line, sizeof line);
      out += sizeof line;
    }
  }
}

void pack_unit(const dtypes::MatrixView& source, std::int64_t first_row, int num_rows,
               std::int64_t first_column, std::byte* unit) {
  const FormatTraits traits = format_traits(panel_format(source.dtype));
  const dtypes::DTypeTraits& type = dtypes::traits(source.dtype);
  const std::size_t stride = dtypes::row_bytes(source.dtype, source.columns);
  const auto columns =
      static_cast<int>(std::min<std::int64_t>(traits.unit_columns, source.columns - first_column));
  std::uint8_t quants[kPanelRows * dtypes::kMaxBlockElements] = {};
  for (int row = 0; row < num_rows; ++row) {
    const std::byte* block = source.data + static_cast<std::size_t>(first_row + row) * stride +
                             static_cast<std::size_t>(first_column / type.block_elements * type.block_bytes);
    std::uint8_t* values = quants + row * traits.unit_columns;
    for (int index = 0; index < columns / type.block_elements; ++index) {
      QuantBlock unpacked;
      dtypes::unpack_block(source.dtype, block, unpacked);
      write_header(source.dtype, block, index, unit, row);
      for (int i = 0; i < type.block_elements; ++i)
        values[i] = static_cast<std::uint8_t>(unpacked.values[i] + traits.offset);
      values += type.block_elements;
      block += type.block_bytes;
    }
  }
  write_quants(traits, quants, unit + traits.header_bytes);
}

void pack_floats(const dtypes::MatrixView& source, std::int64_t first_row, int num_rows, std::byte* panel) {
  const std::size_t size = float_bytes(panel_format(source.dtype));
  const std::size_t stride = dtypes::row_bytes(source.dtype, source.columns);
  for (int row = 0; row < num_rows; ++row) {
    const std::byte* from = source.data + static_cast<std::size_t>(first_row + row) * stride;
    std::byte* to = panel + static_cast<std::size_t>(row) * size;
    for (std::int64_t k = 0; k < source.columns; ++k) {
      std::memcpy(to, from, size);
      from += size;
      to += kPanelRows * size;
    }
  }
}

}  // namespace

PanelFormat panel_format(DType dtype) {
  switch (dtype) {
    case DType::f32:
      return PanelFormat::f32;
    case DType::f16:
      return PanelFormat::f16;
    case DType::bf16:
      return PanelFormat::bf16;
    case DType::q4_0:
      return PanelFormat::p4_half;
    case DType::q4_1:
      return PanelFormat::p4_half_min;
    case DType::q5_0:
      return PanelFormat::p8_half_5bit;
    case DType::q5_1:
      return PanelFormat::p8_half_min;
    case DType::q8_0:
      return PanelFormat::p8_half;
    case DType::q4_k:
      return PanelFormat::p4_sub_min;
    case DType::q5_k:
      return PanelFormat::p8_sub_min;
    case DType::q6_k:
      return PanelFormat::p8_sub_16;
  }
  assert(false && "unknown dtype");
  return PanelFormat::f32;
}

bool is_float_format(PanelFormat format) { return format <= PanelFormat::bf16; }

std::size_t panel_bytes(PanelFormat format, std::int64_t columns) {
  if (is_float_format(format)) return static_cast<std::size_t>(columns) * kPanelRows * float_bytes(format);
  const FormatTraits traits = format_traits(format);
  const std::int64_t units = (columns + traits.unit_columns - 1) / traits.unit_columns;
  return static_cast<std::size_t>(units) * unit_bytes(traits);
}

void pack_panel(const dtypes::MatrixView& source, std::int64_t first_row, std::byte* panel) {
  const PanelFormat format = panel_format(source.dtype);
  const auto num_rows = static_cast<int>(std::min<std::int64_t>(kPanelRows, source.rows - first_row));
  if (is_float_format(format)) return pack_floats(source, first_row, num_rows, panel);
  const FormatTraits traits = format_traits(format);
  for (std::int64_t column = 0; column < source.columns; column += traits.unit_columns) {
    pack_unit(source, first_row, num_rows, column, panel);
    panel += unit_bytes(traits);
  }
}

}  // namespace parley::kernels::cpu
