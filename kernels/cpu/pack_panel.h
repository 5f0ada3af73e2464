#pragma once
// One panel of 16 outputs from stored rows (layout: panel_format.h). Pure, any thread; any bytes are
// accepted.

#include <cstddef>
#include <cstdint>

#include "kernels/dtypes/dtype.h"

namespace parley::kernels::cpu {

// Packs rows first_row .. first_row + 15 (those that exist) of `source` into `panel` [panel_bytes],
// zero-filled.
void pack_panel(const dtypes::MatrixView& source, std::int64_t first_row, std::byte* panel);

}  // namespace parley::kernels::cpu
