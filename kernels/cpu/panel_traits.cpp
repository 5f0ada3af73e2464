#include "kernels/cpu/panel_traits.h"

#include <cassert>

namespace parley::kernels::cpu {

PanelFormat panel_format(dtypes::DType dtype) {
  switch (dtype) {
    case dtypes::DType::f32:
      return PanelFormat::f32;
    case dtypes::DType::f16:
      return PanelFormat::f16;
    case dtypes::DType::bf16:
      return PanelFormat::bf16;
    case dtypes::DType::q4_0:
      return PanelFormat::p4_half;
    case dtypes::DType::q4_1:
      return PanelFormat::p4_half_min;
    case dtypes::DType::q5_0:
      return PanelFormat::p5_half;
    case dtypes::DType::q5_1:
      return PanelFormat::p5_half_min;
    case dtypes::DType::q8_0:
      return PanelFormat::p8_half;
    case dtypes::DType::q4_k:
      return PanelFormat::p4_sub_min;
    case dtypes::DType::q5_k:
      return PanelFormat::p5_sub_min;
    case dtypes::DType::q6_k:
      return PanelFormat::p6_sub_16;
  }
  assert(false && "unknown dtype");
  return PanelFormat::f32;
}

bool is_float_format(PanelFormat format) { return format <= PanelFormat::bf16; }

PanelTraits panel_traits(PanelFormat format) {
  switch (format) {
    case PanelFormat::p4_half:
      return {PanelHeader::half, 64, 64, 4, 8};
    case PanelFormat::p4_half_min:
      return {PanelHeader::half_min, 64, 128, 4, 0};
    case PanelFormat::p4_sub_min:
      return {PanelHeader::sub_min, 256, 320, 4, 0};
    case PanelFormat::p5_half:
      return {PanelHeader::half, 64, 64, 5, 16};
    case PanelFormat::p5_half_min:
      return {PanelHeader::half_min, 64, 128, 5, 0};
    case PanelFormat::p5_sub_min:
      return {PanelHeader::sub_min, 256, 320, 5, 0};
    case PanelFormat::p6_sub_16:
      return {PanelHeader::sub_16, 256, 320, 6, 32};
    case PanelFormat::p8_half:
      return {PanelHeader::half, 64, 64, 8, 128};
    case PanelFormat::f32:
    case PanelFormat::f16:
    case PanelFormat::bf16:
      break;
  }
  assert(false && "a float format has no units");
  return {};
}

std::size_t panel_bytes(PanelFormat format, std::int64_t columns) {
  if (is_float_format(format)) {
    return static_cast<std::size_t>(columns) * kPanelRows * (format == PanelFormat::f32 ? 4 : 2);
  }
  const PanelTraits traits = panel_traits(format);
  const std::int64_t units = (columns + traits.unit_columns - 1) / traits.unit_columns;
  return static_cast<std::size_t>(units) * traits.unit_bytes();
}

}  // namespace parley::kernels::cpu
