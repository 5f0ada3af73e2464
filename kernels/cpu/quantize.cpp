#include "kernels/cpu/quantize.h"

#include <cassert>

#include "kernels/cpu/linear_kernels.h"
#include "kernels/cpu/linear_table.h"

namespace parley::kernels::cpu {

namespace {

// Blocks of a row, padded to the 64 columns of the smallest unit of a panel.
int padded_blocks(int columns) { return (columns + 63) / 64 * 2; }

ActivationLayout make_layout(int rows, int columns) {
  ActivationLayout layout;
  layout.rows = rows;
  layout.num_blocks = padded_blocks(columns);
  layout.num_tiles = (rows + kTileRows - 1) / kTileRows;
  if (layout.num_tiles == 0) return layout;
  layout.tile_height = rows / layout.num_tiles;
  layout.tall_tiles = rows % layout.num_tiles;
  return layout;
}

}  // namespace

QuantizedRows::QuantizedRows(int max_rows, int max_columns)
    : buffer_(static_cast<std::size_t>(max_rows) * static_cast<std::size_t>(padded_blocks(max_columns)) *
              sizeof(ActivationBlock)) {}

void QuantizedRows::reshape(int rows, int columns) {
  assert(rows >= 0 && columns >= 0 && columns % kBlockColumns == 0);
  layout_ = make_layout(rows, columns);
  columns_ = columns;
  assert(static_cast<std::size_t>(rows) * static_cast<std::size_t>(layout_.num_blocks) *
             sizeof(ActivationBlock) <=
         buffer_.bytes());
}

void QuantizedRows::quantize(Isa isa, const float* x, std::size_t row_stride, int first_row, int last_row) {
  assert(0 <= first_row && last_row <= layout_.rows);
  linear_kernels(isa).quantize({.x = x,
                                .x_stride = row_stride,
                                .columns = columns_,
                                .first_row = first_row,
                                .last_row = last_row,
                                .blocks = buffer_.as<ActivationBlock>(),
                                .layout = layout_});
}

}  // namespace parley::kernels::cpu
