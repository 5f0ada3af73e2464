#pragma once
// Stored vectors as the scan takes them (kernels/cpu/vector_scan.h) and in halves, by chunks that never move.
// A chunk is memory of its own, or a part of a mapped file that is kept. One writer; reading beside it is the
// caller's to keep apart. Throws std::bad_alloc.

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "kernels/cpu/huge_buffer.h"
#include "retrieval/index/stored_document.h"

namespace parley::retrieval::index {

inline constexpr std::size_t kChunkRows = 16384;

// A vector in int8, one scale for all of it: value = code * scale.
struct CodedVector {
  std::vector<std::int8_t> codes;
  float scale = 0.0F;
};
CodedVector code_vector(std::span<const float> vector, int padded_dim);

// Rows of one chunk, [rows rounded up to 16].
struct VectorChunk {
  const std::uint8_t* codes = nullptr;    // by blocks of 16 rows
  const float* scales = nullptr;          // [rows]; 0 behind the end
  const std::uint16_t* halves = nullptr;  // [rows, padded_dim]
  std::size_t rows = 0;
};

class VectorRows {
 public:
  explicit VectorRows(int dim);

  void append(std::span<const float> vector);
  // Row `row` of another that has the same dim, bit for bit.
  void append_copy(const VectorRows& other, std::size_t row);
  // kChunkRows rows in memory that `keeper` holds; before anything else is appended.
  void append_mapped(const VectorChunk& chunk, std::shared_ptr<const void> keeper);

  int dim() const { return dim_; }
  int padded_dim() const { return padded_dim_; }  // the next multiple of 16
  std::size_t size() const { return rows_; }
  const std::vector<VectorChunk>& chunks() const { return chunks_; }
  const std::uint16_t* halves(std::size_t row) const;

 private:
  struct Memory {
    std::uint8_t* codes = nullptr;
    float* scales = nullptr;
    std::uint16_t* halves = nullptr;
  };
  // Where the next row goes, within the last chunk; begins a chunk when it is full or mapped.
  std::size_t next_row();
  void put_code(std::size_t row_in_chunk, int d, std::uint8_t code);

  int dim_;
  int padded_dim_;
  std::size_t rows_ = 0;
  std::vector<VectorChunk> chunks_;
  Memory last_;  // of the last chunk; null: it is mapped, or there is none
  std::vector<kernels::cpu::HugeBuffer> buffers_;
  // The mapping lives as long as the last of its chunks.
  std::vector<std::shared_ptr<const void>> keepers_;
};

// Bytes of a chunk's parts, each a multiple of 64.
struct ChunkSizes {
  std::size_t codes = 0, scales = 0, halves = 0;
};
ChunkSizes chunk_sizes(std::size_t rows, int padded_dim);

}  // namespace parley::retrieval::index
