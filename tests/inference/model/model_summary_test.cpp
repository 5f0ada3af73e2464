#include "inference/model/model_summary.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <stdexcept>
#include <string>

#include "inference/formats/gguf.h"
#include "tests/fakes/temp_directory.h"
#include "tests/fakes/tiny_model.h"

namespace parley::inference::model {
namespace {

using tests::fakes::TinyModel;
using tests::fakes::TinyModelOptions;

class ModelSummaryTest : public testing::Test {
 protected:
  ModelSummary summarise(TinyModel& model, int context = 0) {
    model.writer().write(path_);
    return summarise_model(*formats::open_gguf(path_), context);
  }
  static TinyModel complete_model(TinyModelOptions options = {}) {
    TinyModel model(std::move(options));
    model.writer()
        .add("tokenizer.ggml.model", "gpt2")
        .add("tokenizer.chat_template", "{{ messages }}\nnext line");
    return model;
  }

  tests::fakes::TempDirectory directory_;
  std::filesystem::path path_ = directory_.path() / "tiny.gguf";
};

TEST_F(ModelSummaryTest, counts_tensors_parameters_and_memory) {
  TinyModel model = complete_model({.num_layers = 1});
  const ModelSummary summary = summarise(model, 100);
  EXPECT_EQ(summary.path, path_);
  EXPECT_EQ(summary.gguf_version, 3);
  EXPECT_EQ(summary.tensors.size(), 1U + 9 + 1);
  EXPECT_EQ(summary.tensors.front().name, "token_embd.weight");
  EXPECT_EQ(summary.tensors.front().type, "F32");
  EXPECT_EQ(summary.tensors.front().dimensions, (std::vector<std::int64_t>{32, 64}));
  EXPECT_EQ(summary.tensors.front().bytes, 64U * 32 * 4);
  const std::int64_t layer = 2 * 32 + 2 * 32 * 32 + 2 * 16 * 32 + 3 * 32 * 48;
  EXPECT_EQ(summary.num_parameters, 64 * 32 + layer + 32);
  EXPECT_EQ(summary.weight_bytes, static_cast<std::size_t>(summary.num_parameters) * 4);
  ASSERT_EQ(summary.types.size(), 1U);
  EXPECT_EQ(summary.types[0].num_tensors, 11);
  EXPECT_EQ(summary.types[0].bytes, summary.weight_bytes);
  ASSERT_TRUE(summary.config.has_value());
  EXPECT_EQ(summary.config->name, "Tiny");
  EXPECT_TRUE(summary.warnings.empty());

  ASSERT_EQ(summary.kv_memory.size(), 2U);
  EXPECT_EQ(summary.kv_memory[0].tokens, 100);
  const std::size_t token_values = 2U * 2 * 8;  // k and v, 2 heads of 8, 1 layer
  EXPECT_EQ(summary.kv_memory[0].bytes_f16, 112 * token_values * 2) << "whole blocks of 16";
  EXPECT_EQ(summary.kv_memory[0].bytes_f32, 112 * token_values * 4);
  EXPECT_EQ(summary.kv_memory[1].tokens, 256);
}

TEST_F(ModelSummaryTest, orders_types_by_their_share) {
  TinyModel model = complete_model();
  model.writer().add_tensor("a.bf16", {1024, 1024}, 30, std::string(2 << 20, '\0'));
  // The extra tensor is of no use to a llama model, so it is looked at as another architecture.
  std::string bytes = model.writer().bytes();
  bytes.replace(bytes.find(tests::fakes::raw_string("llama")) + 8, 5, "other");
  tests::fakes::GgufWriter::write_file(path_, bytes);
  const ModelSummary summary = summarise_model(*formats::open_gguf(path_), 0);
  ASSERT_EQ(summary.types.size(), 2U);
  EXPECT_EQ(summary.types[0].type, "BF16");
  EXPECT_EQ(summary.types[1].type, "F32");
}

TEST_F(ModelSummaryTest, warns_of_what_the_model_lacks) {
  TinyModel bare({});
  EXPECT_EQ(summarise(bare).warnings,
            (std::vector<std::string>{
                "no tokenizer (metadata key 'tokenizer.ggml.model'): text cannot be used with it",
                "no chat template (metadata key 'tokenizer.chat_template'): the model can complete text, not "
                "chat"}));
  TinyModel other({});
  other.writer().add("tokenizer.ggml.model", "llama").add("tokenizer.chat_template", "x");
  EXPECT_EQ(
      summarise(other).warnings,
      (std::vector<std::string>{"tokenizer 'llama' is not supported; supported is 'gpt2' (byte-level BPE)"}));
  TinyModel model = complete_model();
  EXPECT_EQ(summarise(model, 1000).warnings,
            (std::vector<std::string>{
                "a context of 1000 tokens is beyond the 256 that the model was trained for"}));
}

TEST_F(ModelSummaryTest, shows_unsupported_architectures_with_a_warning) {
  TinyModel model = complete_model({.architecture = "mamba"});
  const ModelSummary summary = summarise(model);
  EXPECT_FALSE(summary.config.has_value());
  EXPECT_TRUE(summary.kv_memory.empty());
  EXPECT_FALSE(summary.tensors.empty());
  EXPECT_EQ(summary.warnings,
            (std::vector<std::string>{"architecture 'mamba' is not supported; supported are llama, qwen2"}));
}

TEST_F(ModelSummaryTest, a_model_that_does_not_fit_its_architecture_is_an_error) {
  TinyModel model = complete_model({.omit = {"blk.0.attn_q.weight"}});
  EXPECT_THROW(summarise(model), std::runtime_error);
}

TEST_F(ModelSummaryTest, shortens_and_escapes_metadata) {
  TinyModel model = complete_model();
  model.writer().add("a.text", std::string(100, 'x')).add("a.escape", "\x1b[2J").add("a.flag", true);
  model.writer().add("a.number", 0.5F).add("bad\nkey", -3);
  model.writer().add_array<std::string>("a.list", {"one", "two", "three", "four", "five"});
  model.writer().add_array<bool>("a.flags", {true, false});
  const ModelSummary summary = summarise(model);
  const auto value = [&](std::string_view key) {
    const auto entry = std::ranges::find(summary.metadata, key, [](const auto& pair) { return pair.first; });
    return entry != summary.metadata.end() ? entry->second : "absent";
  };
  EXPECT_EQ(value("a.text"), "'" + std::string(80, 'x') + "...' (100 bytes)");
  EXPECT_EQ(value("a.escape"), "'\\x1b[2J'");
  EXPECT_EQ(value("a.flag"), "true");
  EXPECT_EQ(value("a.number"), "0.5");
  EXPECT_EQ(value("bad\\x0akey"), "-3");
  EXPECT_EQ(value("a.list"), "['one', 'two', 'three', 'four', ...] (5)");
  EXPECT_EQ(value("a.flags"), "[true, false] (2)");
}

}  // namespace
}  // namespace parley::inference::model
