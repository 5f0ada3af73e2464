#pragma once
// Inner products of vectors, value by value. Pure, any thread. Sizes that do not fit are assertions.

#include <cstdint>
#include <span>

namespace parley::kernels::reference {

// scale * sum of code[d] * query[d]; both [dim] int8. The sum is exact.
float scan_score(std::span<const std::int8_t> code, float scale, std::span<const std::int8_t> query);

// Sum of query[d] * row[d] in float64; query [dim] f32, row [dim] f16.
double dot_half(std::span<const float> query, std::span<const std::uint16_t> row);

}  // namespace parley::kernels::reference
