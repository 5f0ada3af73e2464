#pragma once
// Angular frequencies of the rotary embedding, scaling applied (Su et al. 2021; linear scaling: Chen et al.
// 2023; Llama 3's scaling arrives as a tensor of divisors). Pure, any thread.

#include <string_view>
#include <vector>

namespace parley::inference::formats {
class GgufFile;
}

namespace parley::inference::model {

// Name of the optional tensor [rope_dim / 2] of divisors.
inline constexpr std::string_view kRopeDivisors = "rope_freqs.weight";

// Frequency i is base^(-2i / rope_dim) / (linear factor * divisor i). Keys start with `prefix` ("llama").
// Throws std::runtime_error naming the key or the tensor.
std::vector<float> read_rope_frequencies(const formats::GgufFile& file, std::string_view prefix,
                                         int rope_dim);

}  // namespace parley::inference::model
