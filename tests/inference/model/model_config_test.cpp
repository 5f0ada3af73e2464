#include "inference/model/model_config.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <stdexcept>
#include <string>

#include "inference/formats/gguf.h"
#include "tests/fakes/model_files.h"
#include "tests/fakes/temp_directory.h"
#include "tests/fakes/tiny_model.h"

namespace parley::inference::model {
namespace {

using tests::fakes::TinyModel;
using tests::fakes::TinyModelOptions;

class ModelConfigTest : public testing::Test {
 protected:
  ModelConfig config(TinyModel& model) {
    model.writer().write(path_);
    return read_model_config(*formats::open_gguf(path_));
  }
  ModelConfig config(TinyModelOptions options = {}) {
    TinyModel model(std::move(options));
    return config(model);
  }
  // The message without the file's name.
  std::string error(TinyModel& model) {
    try {
      config(model);
    } catch (const std::runtime_error& error) {
      const std::string text = error.what();
      const std::string prefix = path_.string() + ": ";
      return text.starts_with(prefix) ? text.substr(prefix.size()) : "no file name: " + text;
    }
    return "no error";
  }
  std::string error(TinyModelOptions options) {
    TinyModel model(std::move(options));
    return error(model);
  }
  // A model whose `key` holds `value` instead of its own.
  template <typename T>
  std::string error_with(const std::string& key, T value) {
    TinyModel model({.omit = {key}});
    model.writer().add("llama." + key, value);
    return error(model);
  }

  tests::fakes::TempDirectory directory_;
  std::filesystem::path path_ = directory_.path() / "tiny-file.gguf";
};

TEST_F(ModelConfigTest, reads_a_llama_model) {
  const ModelConfig c = config({.num_layers = 3, .hidden_dim = 48, .num_heads = 6, .num_kv_heads = 2});
  EXPECT_EQ(c.architecture, "llama");
  EXPECT_EQ(c.name, "Tiny");
  EXPECT_EQ(c.quantisation, "F32");
  EXPECT_EQ(c.max_context, 256);
  EXPECT_EQ(c.shape.num_layers, 3);
  EXPECT_EQ(c.shape.hidden_dim, 48);
  EXPECT_EQ(c.shape.num_heads, 6);
  EXPECT_EQ(c.shape.num_kv_heads, 2);
  EXPECT_EQ(c.shape.head_dim, 8);
  EXPECT_EQ(c.shape.ffn_dim, 48);
  EXPECT_EQ(c.shape.vocab_size, 64);
  EXPECT_EQ(c.shape.norm_epsilon, 1e-5F);
  EXPECT_EQ(c.shape.rope_layout, backend::RopeLayout::adjacent);
}

TEST_F(ModelConfigTest, qwen2_rotates_halves) {
  EXPECT_EQ(config({.architecture = "qwen2", .qkv_biases = true}).shape.rope_layout,
            backend::RopeLayout::halves);
}

TEST_F(ModelConfigTest, absent_keys_have_the_meaning_of_the_format) {
  const ModelConfig c = config({.omit = {"attention.head_count_kv"}});
  EXPECT_EQ(c.shape.num_kv_heads, c.shape.num_heads);
  ASSERT_EQ(c.shape.rope_inverse_frequencies.size(), 4U) << "half of the head";
  for (std::size_t i = 0; i < 4; ++i) {
    EXPECT_FLOAT_EQ(c.shape.rope_inverse_frequencies[i], std::pow(10000.0F, -static_cast<float>(i) / 4));
  }
}

TEST_F(ModelConfigTest, reads_head_size_and_rope_keys) {
  TinyModel model({});
  model.writer().add("llama.attention.key_length", 16U).add("llama.attention.value_length", 16U);
  model.writer().add("llama.rope.dimension_count", 4U).add("llama.rope.freq_base", 500000.0F);
  const ModelConfig c = config(model);
  EXPECT_EQ(c.shape.head_dim, 16);
  ASSERT_EQ(c.shape.rope_inverse_frequencies.size(), 2U);
  EXPECT_EQ(c.shape.rope_inverse_frequencies[0], 1.0F);
  EXPECT_FLOAT_EQ(c.shape.rope_inverse_frequencies[1], 1.0F / std::sqrt(500000.0F));
}

TEST_F(ModelConfigTest, divides_frequencies_by_linear_factor_and_divisors) {
  for (const char* key : {"llama.rope.scaling.factor", "llama.rope.scale_linear"}) {
    TinyModel model({});
    model.writer().add(key, 4.0F).add_f32("rope_freqs.weight", {4}, {1, 2, 4, 8});
    const ModelConfig c = config(model);
    EXPECT_FLOAT_EQ(c.shape.rope_inverse_frequencies[0], 0.25F);
    EXPECT_FLOAT_EQ(c.shape.rope_inverse_frequencies[1], std::pow(10000.0F, -0.25F) / 8);
    EXPECT_FLOAT_EQ(c.shape.rope_inverse_frequencies[3], std::pow(10000.0F, -0.75F) / 32);
  }
  TinyModel off({});
  off.writer().add("llama.rope.scaling.type", "none").add("llama.rope.scaling.factor", 4.0F);
  EXPECT_EQ(config(off).shape.rope_inverse_frequencies[0], 1.0F);
}

TEST_F(ModelConfigTest, refuses_rope_that_it_does_not_know) {
  TinyModel yarn({});
  yarn.writer().add("llama.rope.scaling.type", "yarn");
  EXPECT_EQ(error(yarn),
            "metadata key 'llama.rope.scaling.type': 'yarn' is not supported; supported are none, linear");
  TinyModel count({});
  count.writer().add_f32("rope_freqs.weight", {3}, {1, 1, 1});
  EXPECT_EQ(error(count), "tensor 'rope_freqs.weight': has 3 values, expected 4");
  for (const float bad : {0.0F, -1.0F, std::nanf(""), std::numeric_limits<float>::infinity()}) {
    TinyModel model({});
    model.writer().add_f32("rope_freqs.weight", {4}, {1, 1, bad, 1});
    EXPECT_EQ(error(model), "tensor 'rope_freqs.weight': has a value that is not positive");
  }
  TinyModel tiny_factor({});
  tiny_factor.writer().add("llama.rope.scaling.factor", 1e-300);
  EXPECT_EQ(error(tiny_factor), "metadata key 'llama.rope.scaling.factor': frequencies overflow");
  EXPECT_EQ(error_with("rope.dimension_count", 3U),
            "metadata key 'llama.rope.dimension_count': must be even");
  EXPECT_EQ(error_with("rope.dimension_count", 10U),
            "metadata key 'llama.rope.dimension_count': is 10, must be from 2 to 8");
  EXPECT_EQ(error_with("rope.freq_base", 0.0F),
            "metadata key 'llama.rope.freq_base': is 0, must be from 1 to 1e+12");
}

TEST_F(ModelConfigTest, names_supported_architectures) {
  EXPECT_EQ(error({.architecture = "mamba"}),
            "metadata key 'general.architecture': 'mamba' is not supported; supported are llama, qwen2");
  EXPECT_EQ(error({.omit = {"general.architecture"}}), "metadata key 'general.architecture': is missing");
}

TEST_F(ModelConfigTest, names_each_missing_key) {
  for (const char* key : {"block_count", "context_length", "embedding_length", "feed_forward_length",
                          "attention.head_count", "attention.layer_norm_rms_epsilon"}) {
    EXPECT_EQ(error({.omit = {key}}), "metadata key 'llama." + std::string(key) + "': is missing");
  }
  EXPECT_EQ(error({.omit = {"token_embd.weight"}}), "tensor 'token_embd.weight': is missing");
}

TEST_F(ModelConfigTest, refuses_numbers_out_of_range_and_of_other_types) {
  for (const char* key : {"block_count", "context_length", "embedding_length", "feed_forward_length",
                          "attention.head_count", "attention.head_count_kv"}) {
    const std::string name = "metadata key 'llama." + std::string(key) + "': ";
    EXPECT_TRUE(error_with(key, 0U).starts_with(name + "is 0, must be from 1 to ")) << error_with(key, 0U);
    EXPECT_TRUE(error_with(key, -1).starts_with(name + "is -1, must be from 1 to ")) << error_with(key, -1);
    EXPECT_TRUE(error_with(key, 0xffffffffU).starts_with(name + "is 4294967295, must be")) << key;
    EXPECT_TRUE(error_with(key, std::int64_t{1} << 42).starts_with(name + "is 4398046511104, must be"))
        << key;
    EXPECT_EQ(error_with(key, std::numeric_limits<std::uint64_t>::max()),
              name + "18446744073709551615 is out of range");
    EXPECT_EQ(error_with(key, "7"), name + "must be an integer, is a string");
    EXPECT_EQ(error_with(key, 7.0F), name + "must be an integer, is a number");
  }
  const std::string epsilon = "attention.layer_norm_rms_epsilon";
  for (const float bad : {0.0F, -1e-5F, 1.0F}) {
    EXPECT_NE(error_with(epsilon, bad).find("must be from 1e-12 to 0.1"), std::string::npos) << bad;
  }
  EXPECT_EQ(error_with(epsilon, std::nanf("")),
            "metadata key 'llama." + epsilon + "': is not a finite number");
}

TEST_F(ModelConfigTest, refuses_heads_that_do_not_fit) {
  EXPECT_EQ(error_with("attention.head_count_kv", 3U),
            "metadata key 'llama.attention.head_count_kv': 3 does not divide the 4 heads");
  EXPECT_EQ(error_with("attention.head_count", 6U),
            "metadata key 'llama.attention.head_count': 6 does not divide the width 32, and there is no "
            "key_length");
  EXPECT_EQ(error_with("attention.head_count", 32U),
            "metadata key 'llama.attention.key_length': head size 1 must be even and at most 1024");
  EXPECT_EQ(error_with("attention.value_length", 4U),
            "metadata key 'llama.attention.value_length': must be equal to the key length");
}

TEST_F(ModelConfigTest, refuses_what_would_be_computed_wrongly) {
  EXPECT_EQ(error_with("expert_count", 8U),
            "metadata key 'llama.expert_count': models with experts are not supported");
  TinyModel split({});
  split.writer().add("split.count", std::uint16_t{3});
  EXPECT_EQ(error(split),
            "metadata key 'split.count': the model is split into 3 files; join them first "
            "(llama-gguf-split --merge)");
}

TEST_F(ModelConfigTest, refuses_more_tokens_than_embeddings) {
  TinyModel model({.vocab_size = 3});
  model.writer().add_array<std::string>("tokenizer.ggml.tokens", {"a", "b", "c"});
  EXPECT_EQ(config(model).shape.vocab_size, 3);
  TinyModel more({.vocab_size = 2});
  more.writer().add_array<std::string>("tokenizer.ggml.tokens", {"a", "b", "c"});
  EXPECT_EQ(error(more), "metadata key 'tokenizer.ggml.tokens': 3 tokens, but there are embeddings for 2");
}

TEST_F(ModelConfigTest, embeddings_without_a_token_are_rows_but_not_tokens) {
  TinyModel model({.vocab_size = 5});
  model.writer().add_array<std::string>("tokenizer.ggml.tokens", {"a", "b", "c"});
  EXPECT_EQ(config(model).shape.vocab_size, 5);
  EXPECT_EQ(config(model).shape.num_tokens, 3);
  TinyModel without({.vocab_size = 5});
  EXPECT_EQ(config(without).shape.num_tokens, 5) << "a file without a tokenizer";
}

TEST_F(ModelConfigTest, a_sliding_window_limits_the_context) {
  TinyModel model({});
  model.writer().add("llama.attention.sliding_window", 100U);
  EXPECT_EQ(config(model).max_context, 100);
}

TEST_F(ModelConfigTest, a_name_that_cannot_be_shown_gives_way_to_the_file_name) {
  for (const std::string& name : {std::string(), std::string(201, 'x'), std::string("a\x1b[2J")}) {
    TinyModel model({});
    std::string bytes = model.writer().bytes();
    const std::string old_entry = tests::fakes::raw_string("general.name") +
                                  tests::fakes::raw(std::uint32_t{8}) + tests::fakes::raw_string("Tiny");
    const std::string new_entry = tests::fakes::raw_string("general.name") +
                                  tests::fakes::raw(std::uint32_t{8}) + tests::fakes::raw_string(name);
    // Only the header is read here, so the shifted data does not matter as long as it stays in the file.
    bytes.replace(bytes.find(old_entry), old_entry.size(), new_entry);
    tests::fakes::GgufWriter::write_file(path_, bytes + std::string(64, '\0'));
    EXPECT_EQ(read_model_config(*formats::open_gguf(path_)).name, "tiny-file");
  }
}

TEST_F(ModelConfigTest, quantisation_is_the_file_type_or_the_commonest) {
  TinyModel model({});
  std::string bytes = model.writer().bytes();
  const std::string key = tests::fakes::raw_string("general.file_type") + tests::fakes::raw(std::uint32_t{4});
  const std::size_t at = bytes.find(key) + key.size();
  bytes[at] = 15;
  tests::fakes::GgufWriter::write_file(path_, bytes);
  EXPECT_EQ(read_model_config(*formats::open_gguf(path_)).quantisation, "Q4_K_M");
  bytes[at] = 99;
  tests::fakes::GgufWriter::write_file(path_, bytes);
  EXPECT_EQ(read_model_config(*formats::open_gguf(path_)).quantisation, "F32");
}

TEST_F(ModelConfigTest, reads_the_real_models) {
  struct Case {
    const char* file;
    const char* architecture;
    const char* quantisation;
    int layers, hidden, heads, kv_heads, head_dim, vocab, context;
  };
  const Case cases[] = {{"SmolLM2-135M-Instruct.Q4_1.gguf", "llama", "Q4_1", 30, 576, 9, 3, 64, 49152, 8192},
                        {"qwen2.5-coder-0.5b.gguf", "qwen2", "Q4_K_M", 24, 896, 14, 2, 64, 151936, 32768},
                        {"qwen2.5-coder-1.5b.gguf", "qwen2", "Q4_K_M", 28, 1536, 12, 2, 128, 151936, 32768}};
  int checked = 0;
  for (const Case& c : cases) {
    const auto path = tests::fakes::find_model(c.file);
    if (!path) continue;
    ++checked;
    const ModelConfig config = read_model_config(*formats::open_gguf(*path));
    EXPECT_EQ(config.architecture, c.architecture);
    EXPECT_EQ(config.quantisation, c.quantisation);
    EXPECT_EQ(config.shape.num_layers, c.layers);
    EXPECT_EQ(config.shape.hidden_dim, c.hidden);
    EXPECT_EQ(config.shape.num_heads, c.heads);
    EXPECT_EQ(config.shape.num_kv_heads, c.kv_heads);
    EXPECT_EQ(config.shape.head_dim, c.head_dim);
    EXPECT_EQ(config.shape.vocab_size, c.vocab);
    EXPECT_EQ(config.max_context, c.context);
  }
  if (checked == 0) GTEST_SKIP() << tests::fakes::missing_model("model files");
}

}  // namespace
}  // namespace parley::inference::model
