#include "inference/model/rope_frequencies.h"

#include <cmath>
#include <cstddef>
#include <stdexcept>
#include <string>

#include "inference/formats/gguf.h"
#include "inference/formats/shown_name.h"
#include "inference/model/metadata_reader.h"
#include "kernels/dtypes/dequantize.h"

namespace parley::inference::model {
namespace {

constexpr double kDefaultBase = 10000.0;
constexpr double kMaxBase = 1e12;
constexpr double kMaxFactor = 1e6;

// How much positions are compressed; 1: not at all.
double linear_factor(const formats::GgufFile& file, const MetadataReader& keys) {
  const std::string type = formats::find_string(file, keys.name("rope.scaling.type")).value_or("linear");
  if (type == "none") return 1.0;
  if (type != "linear") {
    keys.fail("rope.scaling.type",
              formats::shown_name(type) + " is not supported; supported are none, linear");
  }
  // The second key is how the oldest files say it. Zero means unset there.
  for (const std::string_view key : {"rope.scaling.factor", "rope.scale_linear"}) {
    const double factor = keys.number_or(key, 0.0, {0.0, kMaxFactor});
    if (factor != 0.0) return factor;
  }
  return 1.0;
}

std::vector<float> read_divisors(const formats::GgufFile& file, std::size_t count) {
  const formats::TensorInfo* tensor = file.find_tensor(kRopeDivisors);
  std::vector<float> divisors(count, 1.0F);
  if (tensor == nullptr) return divisors;
  const std::string name = file.path().string() + ": tensor '" + tensor->name + "': ";
  if (tensor->matrix.rows != 1 || tensor->matrix.columns != static_cast<std::int64_t>(count)) {
    throw std::runtime_error(name + "has " + std::to_string(tensor->matrix.rows * tensor->matrix.columns) +
                             " values, expected " + std::to_string(count));
  }
  kernels::dtypes::dequantize_row(tensor->matrix, 0, divisors);
  for (const float divisor : divisors) {
    if (!(std::isfinite(divisor) && divisor > 0.0F))
      throw std::runtime_error(name + "has a value that is not positive");
  }
  return divisors;
}

}  // namespace

std::vector<float> read_rope_frequencies(const formats::GgufFile& file, std::string_view prefix,
                                         int rope_dim) {
  const MetadataReader keys(file, prefix);
  const double base = keys.number_or("rope.freq_base", kDefaultBase, {1.0, kMaxBase});
  const double factor = linear_factor(file, keys);
  const std::vector<float> divisors = read_divisors(file, static_cast<std::size_t>(rope_dim / 2));
  std::vector<float> frequencies;
  frequencies.reserve(divisors.size());
  for (std::size_t i = 0; i < divisors.size(); ++i) {
    const double frequency = std::pow(base, -2.0 * static_cast<double>(i) / rope_dim);
    frequencies.push_back(static_cast<float>(frequency / factor / divisors[i]));
    if (!std::isfinite(frequencies.back())) keys.fail("rope.scaling.factor", "frequencies overflow");
  }
  return frequencies;
}

}  // namespace parley::inference::model
