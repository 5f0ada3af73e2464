#include "kernels/cpu/linear.h"

#include <algorithm>
#include <cassert>

#include "kernels/cpu/linear_table.h"
#include "kernels/cpu/panel_traits.h"

namespace parley::kernels::cpu {

namespace {

// Panels first .. last - 1 of one matrix of the stack.
PanelProduct make_product(const PackedLinear::Part& part, int first, int last, const LinearInput& input,
                          const LinearOutput& output) {
  const int first_output = first * kPanelRows;
  const auto rows_of_part = static_cast<int>(part.source.rows);
  PanelProduct product;
  product.format = part.format;
  product.num_panels = last - first;
  product.columns = static_cast<int>(part.source.columns);
  product.panels = part.panels + static_cast<std::size_t>(first) * part.panel_bytes;
  product.panel_bytes = part.panel_bytes;
  product.bias = part.bias != nullptr ? part.bias + first_output : nullptr;
  product.rows = input.rows;
  product.num_outputs = std::min(last * kPanelRows, rows_of_part) - first_output;
  product.out = output.values + part.first_output + first_output;
  product.out_stride = output.row_stride;
  product.add_to_out = output.store == Store::add;
  if (is_float_format(part.format)) {
    assert(input.values != nullptr);
    product.x = input.values;
    product.x_stride = input.row_stride;
  } else {
    assert(input.quantized != nullptr && input.quantized->rows() == input.rows);
    assert(input.quantized->columns() == product.columns);
    product.blocks = input.quantized->blocks();
    product.layout = input.quantized->layout();
  }
  return product;
}

}  // namespace

const LinearKernels& linear_kernels(Isa isa) {
  switch (isa) {
    case Isa::avx512:
      return kLinearAvx512;
    case Isa::avx2:
      return kLinearAvx2;
    case Isa::portable:
      break;
  }
  return kLinearPortable;
}

LinearScratch::LinearScratch() : buffer_(kScratchBytes) {}

void multiply(Isa isa, const PackedLinear& layer, PanelRange panels, const LinearInput& input,
              const LinearOutput& output, const LinearScratch& scratch) {
  assert(0 <= panels.first && panels.last <= layer.num_panels());
  if (input.rows == 0) return;
  for (const PackedLinear::Part& part : layer.parts()) {
    const int first = std::max(panels.first - part.first_panel, 0);
    const int last = std::min(panels.last - part.first_panel, part.num_panels);
    if (first >= last) continue;
    PanelProduct product = make_product(part, first, last, input, output);
    product.scratch = scratch.data();
    linear_kernels(isa).multiply(product);
  }
}

}  // namespace parley::kernels::cpu
