#pragma once
// out = W x (+ bias) (+ out) for a layer in packed form, over a range of its panels.
//
// Any number of threads at the same time, each with its own panels and its own scratch; no barrier inside.
// Nothing fails; shapes that do not fit are assertions.
//
// Exactness: a row's result is the same, bit for bit, for every number of rows, every split into panels,
// every instruction set. For one row and one output, over blocks of 32 inputs in ascending order, acc
// starting at +0:
//
//   acc = fma(d_w * d_a, float(dot), acc)     dot: the int32 sum of w_i * a_i of the block, exact
//   acc = fma(m_w, s_a, acc)                  only if the weights have minima
//
//   d_a, s_a  scale and scaled_sum of the activation block (quantize.h), f32
//   w_i       the stored integer without offset (Q4_0: -8 .. 7)
//   d_w       f16, or f16 times the 6-bit or 8-bit sub-scale of a K type: exact in f32
//   m_w       f16 (Q4_1, Q5_1), or -(f16 times the 6-bit sub-minimum): exact in f32
//
// Q6_K has a scale for each 16 inputs: the first line is done for either half, in order.
// F32, F16 and BF16 weights: acc = fma(w_k, x_k, acc) over single inputs k in ascending order.
// At the end, each with one rounding: acc + bias if there is one, then out + that for Store::add.
// kernels/reference/linear.h does the same the slow way.

#include <cstddef>

#include "kernels/cpu/huge_buffer.h"
#include "kernels/cpu/isa.h"
#include "kernels/cpu/packed_linear.h"
#include "kernels/cpu/quantize.h"

namespace parley::kernels::cpu {

// The rows to multiply, in the forms that the layer reads (PackedLinear::reads_quantized, reads_float).
struct LinearInput {
  int rows = 0;
  const QuantizedRows* quantized = nullptr;  // [rows, columns]
  const float* values = nullptr;             // [rows, columns] f32, row r at values + r * row_stride
  std::size_t row_stride = 0;
};

enum class Store { overwrite, add };

// [rows, outputs] f32, row r at values + r * row_stride; must not alias the input.
struct LinearOutput {
  float* values = nullptr;
  std::size_t row_stride = 0;
  Store store = Store::overwrite;
};

// Working memory of one thread. Throws std::bad_alloc.
class LinearScratch {
 public:
  LinearScratch();
  std::byte* data() const { return buffer_.data(); }

 private:
  HugeBuffer buffer_;
};

void multiply(Isa isa, const PackedLinear& layer, PanelRange panels, const LinearInput& input,
              const LinearOutput& output, const LinearScratch& scratch);

}  // namespace parley::kernels::cpu
