#include "inference/model/rope_frequencies.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <stdexcept>
#include <string>
#include <vector>

#include "inference/formats/gguf.h"
#include "tests/fakes/gguf_writer.h"
#include "tests/fakes/temp_directory.h"

namespace parley::inference::model {
namespace {

using tests::fakes::GgufWriter;

class RopeFrequenciesTest : public testing::Test {
 protected:
  std::vector<float> read(const GgufWriter& writer, int rope_dim) {
    const auto path = directory_.path() / "rope.gguf";
    writer.write(path);
    return read_rope_frequencies(*formats::open_gguf(path), "llama", rope_dim);
  }
  // Without the file's name.
  std::string error(const GgufWriter& writer) {
    try {
      read(writer, 4);
    } catch (const std::runtime_error& error) {
      return std::string(error.what()).substr((directory_.path() / "rope.gguf").string().size() + 2);
    }
    return "no error";
  }

  tests::fakes::TempDirectory directory_;
};

TEST_F(RopeFrequenciesTest, fall_from_one_by_powers_of_the_base) {
  // 10000^(-2i/8) = 10^-i
  EXPECT_EQ(read(GgufWriter(), 8), (std::vector<float>{1.0F, 0.1F, 0.01F, 0.001F}));
  GgufWriter writer;
  writer.add("llama.rope.freq_base", 1e6F);
  EXPECT_EQ(read(writer, 4), (std::vector<float>{1.0F, 0.001F})) << "1e6^(-1/2)";
  EXPECT_EQ(read(writer, 2), (std::vector<float>{1.0F}));
}

TEST_F(RopeFrequenciesTest, keys_of_other_families_do_not_count) {
  GgufWriter writer;
  writer.add("qwen2.rope.freq_base", 1e6F).add("qwen2.rope.scaling.factor", 2.0F);
  EXPECT_EQ(read(writer, 4), (std::vector<float>{1.0F, 0.01F}));
}

TEST_F(RopeFrequenciesTest, are_divided_by_the_linear_factor) {
  for (const char* key : {"llama.rope.scaling.factor", "llama.rope.scale_linear"}) {
    GgufWriter writer;
    writer.add(key, 4.0F);
    EXPECT_EQ(read(writer, 4), (std::vector<float>{0.25F, 0.0025F})) << key;
  }
  GgufWriter unset;
  unset.add("llama.rope.scaling.factor", 0.0F).add("llama.rope.scale_linear", 2.0F);
  EXPECT_EQ(read(unset, 4), (std::vector<float>{0.5F, 0.005F})) << "zero is unset";
  GgufWriter none;
  none.add("llama.rope.scaling.type", "none").add("llama.rope.scaling.factor", 4.0F);
  EXPECT_EQ(read(none, 4), (std::vector<float>{1.0F, 0.01F}));
}

TEST_F(RopeFrequenciesTest, are_divided_by_the_divisors_of_the_file) {
  GgufWriter writer;
  writer.add("llama.rope.scaling.factor", 2.0F).add_f32("rope_freqs.weight", {2}, {1.0F, 8.0F});
  EXPECT_EQ(read(writer, 4), (std::vector<float>{0.5F, 0.000625F}));
}

TEST_F(RopeFrequenciesTest, what_would_be_computed_wrongly_is_refused) {
  GgufWriter yarn;
  yarn.add("llama.rope.scaling.type", "yarn");
  EXPECT_EQ(error(yarn),
            "metadata key 'llama.rope.scaling.type': 'yarn' is not supported; supported are none, linear");
  GgufWriter base;
  base.add("llama.rope.freq_base", 0.5F);
  EXPECT_EQ(error(base), "metadata key 'llama.rope.freq_base': is 0.5, must be from 1 to 1e+12");
  GgufWriter count;
  count.add_f32("rope_freqs.weight", {3}, {1, 1, 1});
  EXPECT_EQ(error(count), "tensor 'rope_freqs.weight': has 3 values, expected 2");
  for (const float bad : {0.0F, -1.0F, std::numeric_limits<float>::quiet_NaN(), INFINITY}) {
    GgufWriter divisor;
    divisor.add_f32("rope_freqs.weight", {2}, {1, bad});
    EXPECT_EQ(error(divisor), "tensor 'rope_freqs.weight': has a value that is not positive") << bad;
  }
  GgufWriter tiny;
  tiny.add_f32("rope_freqs.weight", {2}, {1e-45F, 1}).add("llama.rope.scaling.factor", 1e-3F);
  EXPECT_EQ(error(tiny), "metadata key 'llama.rope.scaling.factor': frequencies overflow");
}

}  // namespace
}  // namespace parley::inference::model
