#pragma once
// Activations as the quantised products read them: int8 with one scale for each 32 values of a row.
//
// A QuantizedRows belongs to one step at a time: reshape() by one thread, then quantize() by any number of
// threads, each with its own rows; after a join every thread may read. Nothing here fails; input that is not
// finite gives a block whose scale is NaN, so the product is NaN and the guard on the logits sees it.

#include <cstddef>

#include "kernels/cpu/activation_block.h"
#include "kernels/cpu/huge_buffer.h"
#include "kernels/cpu/isa.h"

namespace parley::kernels::cpu {

class QuantizedRows {
 public:
  QuantizedRows() = default;
  // Memory for the largest shape that reshape() will be given. Throws std::bad_alloc.
  QuantizedRows(int max_rows, int max_columns);

  // Makes room for `rows` rows of `columns` values (a multiple of 32); what was there is lost.
  void reshape(int rows, int columns);

  int rows() const { return layout_.rows; }
  int columns() const { return columns_; }

  // Quantises rows first_row .. last_row - 1.
  //   x  [rows, columns] f32, row r at x + r * row_stride, of all rows (x is row 0)
  void quantize(Isa isa, const float* x, std::size_t row_stride, int first_row, int last_row);

  // For the products.
  const ActivationBlock* blocks() const { return buffer_.as<ActivationBlock>(); }
  const ActivationLayout& layout() const { return layout_; }

 private:
  HugeBuffer buffer_;
  ActivationLayout layout_;
  int columns_ = 0;
};

}  // namespace parley::kernels::cpu
