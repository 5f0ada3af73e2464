#include "retrieval/index/vector_rows.h"

#include <algorithm>
#include <cmath>

#include "kernels/cpu/vector_scan.h"
#include "kernels/dtypes/half.h"

namespace parley::retrieval::index {
namespace {

using kernels::cpu::kScanRows;

constexpr std::size_t round_up(std::size_t number, std::size_t step) {
  return (number + step - 1) / step * step;
}

// Of a row's value d within its chunk.
std::size_t code_place(std::size_t row, int d, int padded_dim) {
  const std::size_t lines = static_cast<std::size_t>(padded_dim) / 4;
  const auto column = static_cast<std::size_t>(d);
  return (row / kScanRows * lines + column / 4) * 64 + row % kScanRows * 4 + column % 4;
}

}  // namespace

CodedVector code_vector(std::span<const float> vector, int padded_dim) {
  CodedVector coded;
  coded.codes.resize(static_cast<std::size_t>(padded_dim));
  float largest = 0.0F;
  for (const float value : vector) {
    if (!std::isfinite(value)) return coded;
    largest = std::max(largest, std::abs(value));
  }
  if (largest == 0.0F) return coded;
  coded.scale = largest / 127.0F;
  for (std::size_t d = 0; d < vector.size(); ++d)
    coded.codes[d] = static_cast<std::int8_t>(std::lrint(vector[d] / largest * 127.0F));
  return coded;
}

ChunkSizes chunk_sizes(std::size_t rows, int padded_dim) {
  const std::size_t whole = round_up(rows, kScanRows);
  return {.codes = whole * static_cast<std::size_t>(padded_dim),
          .scales = round_up(whole * sizeof(float), 64),
          .halves = round_up(whole * static_cast<std::size_t>(padded_dim) * sizeof(std::uint16_t), 64)};
}

VectorRows::VectorRows(int dim)
    : dim_(dim), padded_dim_(static_cast<int>(round_up(static_cast<std::size_t>(dim), 16))) {}

std::size_t VectorRows::next_row() {
  if (last_.codes == nullptr || chunks_.back().rows == kChunkRows) {
    const ChunkSizes sizes = chunk_sizes(kChunkRows, padded_dim_);
    kernels::cpu::HugeBuffer buffer(sizes.codes + sizes.scales + sizes.halves);
    last_.codes = buffer.as<std::uint8_t>();
    last_.scales = reinterpret_cast<float*>(last_.codes + sizes.codes);
    last_.halves = reinterpret_cast<std::uint16_t*>(last_.codes + sizes.codes + sizes.scales);
    buffers_.push_back(std::move(buffer));
    chunks_.push_back({last_.codes, last_.scales, last_.halves, 0});
  }
  ++rows_;
  return chunks_.back().rows++;
}

void VectorRows::append(std::span<const float> vector) {
  const std::size_t row = next_row();
  const CodedVector coded = code_vector(vector, padded_dim_);
  std::uint16_t* halves = last_.halves + row * static_cast<std::size_t>(padded_dim_);
  for (int d = 0; d < padded_dim_; ++d) {
    const auto column = static_cast<std::size_t>(d);
    last_.codes[code_place(row, d, padded_dim_)] = static_cast<std::uint8_t>(coded.codes[column] + 128);
    halves[d] = column < vector.size() ? kernels::dtypes::float_to_half(vector[column]) : std::uint16_t{0};
  }
  last_.scales[row] = coded.scale;
}

void VectorRows::append_copy(const VectorRows& other, std::size_t row) {
  const VectorChunk& from = other.chunks_[row / kChunkRows];
  const std::size_t from_row = row % kChunkRows;
  const std::size_t to_row = next_row();
  for (int d = 0; d < padded_dim_; d += 4) {
    std::copy_n(from.codes + code_place(from_row, d, padded_dim_), 4,
                last_.codes + code_place(to_row, d, padded_dim_));
  }
  last_.scales[to_row] = from.scales[from_row];
  std::copy_n(other.halves(row), padded_dim_, last_.halves + to_row * static_cast<std::size_t>(padded_dim_));
}

void VectorRows::append_mapped(const VectorChunk& chunk, std::shared_ptr<const void> keeper) {
  chunks_.push_back(chunk);
  rows_ += chunk.rows;
  keepers_.push_back(std::move(keeper));
  last_ = {};
}

const std::uint16_t* VectorRows::halves(std::size_t row) const {
  return chunks_[row / kChunkRows].halves + row % kChunkRows * static_cast<std::size_t>(padded_dim_);
}

}  // namespace parley::retrieval::index
