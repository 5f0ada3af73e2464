#pragma once
// Weights of a linear layer in the layout of the products: panels of 16 outputs, interleaved by 4 inputs.
//
// Made by one thread; pack() by several at the same time with disjoint panels; immutable and shared after a
// join. Packing is exact: a panel holds the same integers and scales as the file (panel_format.h). Throws
// std::bad_alloc when memory cannot be had; shapes that do not fit are assertions.

#include <cstddef>
#include <span>
#include <vector>

#include "kernels/cpu/huge_buffer.h"
#include "kernels/cpu/panel_format.h"
#include "kernels/dtypes/dtype.h"

namespace parley::kernels::cpu {

// Memory for many packed layers, in huge pages; lives longer than they do. One thread.
class WeightArena {
 public:
  // 64-byte aligned, zero-filled. Throws std::bad_alloc.
  std::byte* allocate(std::size_t bytes);
  std::size_t bytes_used() const { return bytes_used_; }

 private:
  std::vector<HugeBuffer> slabs_;
  std::size_t slab_used_ = 0;
  std::size_t bytes_used_ = 0;
};

// Panels first .. last - 1 of a layer.
struct PanelRange {
  int first = 0;
  int last = 0;
};

class PackedLinear {
 public:
  // Reserves memory for the matrices of `parts`, stacked by rows; dtypes may differ, columns must agree.
  // biases: empty, or one vector for each part (a null `data` means none). The bytes are read by pack() only.
  PackedLinear(std::span<const dtypes::MatrixView> parts, std::span<const dtypes::MatrixView> biases,
               WeightArena& arena);
  PackedLinear(PackedLinear&&) noexcept = default;
  PackedLinear& operator=(PackedLinear&&) noexcept = default;

  // Packs these panels (and their share of the biases).
  void pack(PanelRange range);

  int outputs() const { return outputs_; }
  int columns() const { return columns_; }
  int num_panels() const { return num_panels_; }
  std::size_t bytes() const;  // of the packed weights, what one product reads

  // Which form of its input a product needs; a stack of mixed dtypes may need both.
  bool reads_quantized() const;
  bool reads_float() const;

  // Weights of output `output` in f32, bit for bit as dtypes::dequantize_row gives them. Requires that its
  // panel is packed.
  //   out  [columns] f32
  void unpack_row(int output, std::span<float> out) const;

  // The panels of worker `index` of `count`: consecutive, disjoint, about equal in bytes.
  PanelRange share(int index, int count) const;

  // A matrix of the stack in packed form.
  struct Part {
    dtypes::MatrixView source;  // its bytes are valid until packed
    dtypes::MatrixView bias_source;
    PanelFormat format = PanelFormat::f32;
    int first_panel = 0;
    int num_panels = 0;
    int first_output = 0;
    std::size_t panel_bytes = 0;
    std::byte* panels = nullptr;  // [num_panels][panel_bytes]
    float* bias = nullptr;        // [num_panels * 16] f32 or null
  };
  std::span<const Part> parts() const { return parts_; }

 private:
  std::vector<Part> parts_;
  int columns_ = 0;
  int outputs_ = 0;
  int num_panels_ = 0;
};

// Tells the operating system that the bytes of a packed matrix are not needed any more: whole pages of a file
// mapping leave the resident memory and are read again from the file if touched. Does nothing to memory of
// other kinds.
void drop_source_pages(const dtypes::MatrixView& matrix);

}  // namespace parley::kernels::cpu
