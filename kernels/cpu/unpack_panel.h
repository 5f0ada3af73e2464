#pragma once
// One row of a packed panel back in f32, so that an embedding which is also the head is kept once. Each value
// is, bit for bit, what dtypes::dequantize_row gives of the stored row. Pure, any thread; any bytes are
// accepted. Reads all lines of the panel: sixteen times the row's own bytes.

#include <cstddef>
#include <span>

#include "kernels/cpu/panel_format.h"

namespace parley::kernels::cpu {

//   panel  [panel_bytes(format, columns)]
//   row    0 .. 15, of the panel
//   out    [columns] f32
void unpack_panel_row(PanelFormat format, const std::byte* panel, int row, std::span<float> out);

}  // namespace parley::kernels::cpu
