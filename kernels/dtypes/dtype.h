#pragma once
// Element types of stored tensors: names, block sizes, and read-only views over their bytes.
// Plain data, immutable, usable from any thread. Layouts are those of the GGUF specification (ggml block
// types).

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace parley::kernels::dtypes {

enum class DType : std::uint8_t { f32, f16, bf16, q4_0, q4_1, q5_0, q5_1, q8_0, q4_k, q5_k, q6_k };

struct DTypeTraits {
  std::string_view name;  // as GGUF tools print it: "Q4_K"
  int block_elements;     // values in a block; a row holds whole blocks
  int block_bytes;
};

const DTypeTraits& traits(DType dtype);

// Bytes of a row of `columns` values. Requires columns % traits(dtype).block_elements == 0.
std::size_t row_bytes(DType dtype, std::int64_t columns);

// A row-major matrix [rows, columns] in its stored type; borrows its bytes. A vector has one row.
struct MatrixView {
  DType dtype = DType::f32;
  std::int64_t rows = 0;
  std::int64_t columns = 0;
  const std::byte* data = nullptr;  // rows * row_bytes(dtype, columns), no alignment promised
};

// Bytes of all its rows.
std::size_t stored_bytes(const MatrixView& matrix);

}  // namespace parley::kernels::dtypes
