#pragma once
// Sizes of the panel formats, for the code that packs and unpacks them (layout: panel_format.h). Pure, any
// thread. Never fails; a value outside of an enumeration is an assertion.

#include <cstddef>
#include <cstdint>

#include "kernels/cpu/panel_format.h"
#include "kernels/dtypes/dtype.h"

namespace parley::kernels::cpu {

// What the header of a unit holds, as panel_format.h lists it.
enum class PanelHeader : std::uint8_t { half, half_min, sub_min, sub_16 };

// Of the quantised formats.
struct PanelTraits {
  PanelHeader header = PanelHeader::half;
  int unit_columns = 0;  // inputs of a unit
  int header_bytes = 0;
  int bits = 0;    // of a packed quant
  int offset = 0;  // added to a value to make it unsigned

  std::size_t block_bytes() const { return static_cast<std::size_t>(kPanelRows * kBlockColumns * bits / 8); }
  std::size_t unit_bytes() const {
    return static_cast<std::size_t>(header_bytes) +
           block_bytes() * static_cast<std::size_t>(unit_columns / kBlockColumns);
  }
};

PanelFormat panel_format(dtypes::DType dtype);
bool is_float_format(PanelFormat format);
PanelTraits panel_traits(PanelFormat format);  // not of a float format

// Bytes of a panel over `columns` inputs.
std::size_t panel_bytes(PanelFormat format, std::int64_t columns);

}  // namespace parley::kernels::cpu
