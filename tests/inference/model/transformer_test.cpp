#include "inference/model/transformer.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <stdexcept>
#include <string>

#include "inference/formats/gguf.h"
#include "tests/fakes/temp_directory.h"
#include "tests/fakes/tiny_model.h"

namespace parley::inference::model {
namespace {

using backend::Activation;
using tests::fakes::TinyModel;
using tests::fakes::TinyModelOptions;

// A weight that knows what it was made of: "norm 32", "linear 32+16+16 x 32 biased".
struct NamedWeight final : backend::Weight {
  explicit NamedWeight(std::string weight_name) : name(std::move(weight_name)) {}
  std::string name;
};

std::string describe(const backend::WeightSource& source) {
  if (const auto* norm = std::get_if<backend::VectorSource>(&source)) {
    return "norm " + std::to_string(norm->values.columns);
  }
  const auto& linear = std::get<backend::LinearSource>(source);
  std::string text = "linear ";
  for (const auto& part : linear.parts) text += std::to_string(part.rows) + " ";
  text += "x " + std::to_string(linear.parts.front().columns);
  for (const auto& bias : linear.biases) text += " bias " + std::to_string(bias.columns);
  return text;
}

// Writes down what it is asked to do.
class RecordingBackend : public backend::Backend {
 public:
  backend::WeightHandle load(const backend::WeightSource& source) override {
    loaded.push_back(describe(source));
    return std::make_unique<NamedWeight>(loaded.back());
  }
  void embed(const backend::StepPlan& plan, const backend::Weight& table) override {
    calls.push_back("embed " + std::to_string(plan.token_ids.size()) + " " + name_of(table));
  }
  void norm_linear(const backend::Weight& norm, const backend::Weight& linear, Activation out) override {
    calls.push_back(name_of(norm) + ", " + name_of(linear) + " -> " + name_of(out));
  }
  void rope_store_kv(int layer) override { calls.push_back("rope " + std::to_string(layer)); }
  void attention(int layer) override { calls.push_back("attention " + std::to_string(layer)); }
  void swiglu() override { calls.emplace_back("swiglu"); }
  void linear_add(const backend::Weight& linear, Activation input) override {
    calls.push_back("add " + name_of(linear) + " of " + name_of(input));
  }
  void logits(const backend::Weight& norm, const backend::Weight& head) override {
    calls.push_back("logits " + name_of(norm) + ", " + name_of(head));
  }
  std::vector<backend::SampledToken> sample(const backend::SamplePlan& plan) override {
    calls.push_back("sample " + std::to_string(plan.size()));
    return std::vector<backend::SampledToken>(plan.size());
  }
  std::vector<float> read_logits(int /*index*/) override { return {}; }
  std::string_view name() const override { return "recording"; }

  std::vector<std::string> loaded;
  std::vector<std::string> calls;

 private:
  static std::string name_of(const backend::Weight& weight) {
    return static_cast<const NamedWeight&>(weight).name;
  }
  static std::string name_of(Activation activation) {
    const char* names[] = {"hidden", "qkv", "attention", "gate_up", "ffn"};
    return names[static_cast<int>(activation)];
  }
};

class TransformerTest : public testing::Test {
 protected:
  std::unique_ptr<formats::GgufFile> open(TinyModel& model) {
    model.writer().write(path_);
    return formats::open_gguf(path_);
  }
  std::unique_ptr<formats::GgufFile> open(TinyModelOptions options) {
    TinyModel model(std::move(options));
    return open(model);
  }
  // The message without the file's name, and nothing may have been loaded by then.
  std::string error(TinyModel& model) {
    RecordingBackend backend;
    try {
      make_transformer(*open(model), backend, {});
    } catch (const std::runtime_error& error) {
      EXPECT_TRUE(backend.loaded.empty());
      EXPECT_THROW(check_weights(*formats::open_gguf(path_)), std::runtime_error);
      return std::string(error.what()).substr(path_.string().size() + 2);
    }
    EXPECT_NO_THROW(check_weights(*formats::open_gguf(path_)));
    return "no error";
  }
  std::string error(TinyModelOptions options) {
    TinyModel model(std::move(options));
    return error(model);
  }

  tests::fakes::TempDirectory directory_;
  std::filesystem::path path_ = directory_.path() / "tiny.gguf";
};

TEST_F(TransformerTest, runs_the_stages_of_every_layer_in_order) {
  RecordingBackend backend;
  const auto file = open({.architecture = "qwen2", .num_layers = 2, .tied = false, .qkv_biases = true});
  const auto transformer = make_transformer(*file, backend, {});
  backend::StepPlan plan;
  plan.token_ids = {5, 6, 7};
  plan.sequences = {{.first_row = 0, .num_rows = 3, .first_position = 0, .first_block = 0}};
  plan.block_table = {0};
  plan.logit_rows = {2};
  EXPECT_EQ(transformer->forward(plan, backend::SamplePlan(1)).size(), 1U);

  std::vector<std::string> expected = {"embed 3 linear 64 x 32"};
  for (const char* layer : {"0", "1"}) {
    expected.emplace_back("norm 32, linear 32 16 16 x 32 bias 32 bias 16 bias 16 -> qkv");
    expected.push_back(std::string("rope ") + layer);
    expected.push_back(std::string("attention ") + layer);
    expected.emplace_back("add linear 32 x 32 of attention");
    expected.emplace_back("norm 32, linear 48 48 x 32 -> gate_up");
    expected.emplace_back("swiglu");
    expected.emplace_back("add linear 32 x 48 of ffn");
  }
  expected.emplace_back("logits norm 32, linear 64 x 32");
  expected.emplace_back("sample 1");
  EXPECT_EQ(backend.calls, expected);
}

TEST_F(TransformerTest, asks_for_no_logits_when_none_are_wanted) {
  RecordingBackend backend;
  const auto file = open({.num_layers = 1});
  const auto transformer = make_transformer(*file, backend, {});
  backend::StepPlan plan;
  plan.token_ids = {1};
  EXPECT_TRUE(transformer->forward(plan, {}).empty());
  EXPECT_EQ(backend.calls.back(), "add linear 32 x 48 of ffn");
}

TEST_F(TransformerTest, loads_each_weight_once_and_reports_progress) {
  RecordingBackend backend;
  std::vector<double> progress;
  make_transformer(*open({.num_layers = 2}), backend, [&](double share) { progress.push_back(share); });
  EXPECT_EQ(backend.loaded.size(), 2U * 6 + 2) << "the head is the embedding";
  ASSERT_EQ(progress.size(), backend.loaded.size() + 1);
  EXPECT_EQ(progress.front(), 0.0);
  EXPECT_EQ(progress.back(), 1.0);
  EXPECT_TRUE(std::ranges::is_sorted(progress));
}

// Weights stand for themselves by their address.
class IdentityBackend final : public RecordingBackend {
 public:
  void embed(const backend::StepPlan&, const backend::Weight& weight) override { table = &weight; }
  void logits(const backend::Weight&, const backend::Weight& weight) override { head = &weight; }

  const backend::Weight* table = nullptr;
  const backend::Weight* head = nullptr;
};

TEST_F(TransformerTest, a_tied_head_is_the_embedding_itself) {
  for (const bool tied : {true, false}) {
    IdentityBackend backend;
    const auto transformer = make_transformer(*open({.num_layers = 1, .tied = tied}), backend, {});
    backend::StepPlan plan;
    plan.token_ids = {1};
    plan.logit_rows = {0};
    transformer->forward(plan, backend::SamplePlan(1));
    ASSERT_NE(backend.table, nullptr);
    EXPECT_EQ(backend.table == backend.head, tied);
    EXPECT_EQ(std::ranges::count(backend.loaded, "linear 64 x 32"), tied ? 1 : 2);
  }
}

// Embeddings have no biases anywhere, and a head that is tied to one would be given them.
TEST_F(TransformerTest, refuses_biases_of_the_embedding) {
  for (const bool tied : {true, false}) {
    TinyModel model({.tied = tied});
    model.writer().add_f32("token_embd.bias", {64}, std::vector<float>(64));
    EXPECT_EQ(
        error(model),
        "tensor 'token_embd.bias': is not part of the architecture that the file names; the model is of "
        "another kind");
  }
}

TEST_F(TransformerTest, names_each_missing_tensor) {
  for (const char* tensor :
       {"blk.0.attn_norm.weight", "blk.0.attn_q.weight", "blk.0.attn_k.weight", "blk.1.attn_v.weight",
        "blk.1.attn_output.weight", "blk.0.ffn_norm.weight", "blk.0.ffn_gate.weight", "blk.0.ffn_up.weight",
        "blk.1.ffn_down.weight", "output_norm.weight"}) {
    EXPECT_EQ(error({.omit = {tensor}}), "tensor '" + std::string(tensor) + "': is missing");
  }
}

TEST_F(TransformerTest, names_tensors_of_another_shape) {
  TinyModel matrix({.omit = {"blk.1.attn_k.weight"}});
  matrix.writer().add_f32("blk.1.attn_k.weight", {32, 32}, std::vector<float>(32 * 32));
  EXPECT_EQ(error(matrix),
            "tensor 'blk.1.attn_k.weight': has shape [32, 32] [rows, columns], expected [16, 32]");
  TinyModel norm({.omit = {"output_norm.weight"}});
  norm.writer().add_f32("output_norm.weight", {16, 2}, std::vector<float>(32));
  EXPECT_EQ(error(norm), "tensor 'output_norm.weight': has shape [2, 16] [rows, columns], expected [1, 32]");
  TinyModel head({});
  head.writer().add_f32("output.weight", {32, 63}, std::vector<float>(32 * 63));
  EXPECT_EQ(error(head), "tensor 'output.weight': has shape [63, 32] [rows, columns], expected [64, 32]");
}

TEST_F(TransformerTest, wants_the_biases_of_the_architecture) {
  EXPECT_EQ(error({.architecture = "qwen2"}), "tensor 'blk.0.attn_q.bias': is missing");
  EXPECT_EQ(error({.architecture = "qwen2", .qkv_biases = true, .omit = {"blk.1.attn_k.bias"}}),
            "tensor 'blk.1.attn_k.bias': is missing");
  EXPECT_EQ(error({.architecture = "llama", .qkv_biases = true}), "no error") << "llama may have them";
  EXPECT_EQ(error({.architecture = "llama", .qkv_biases = true, .omit = {"blk.1.attn_q.bias"}}),
            "tensor 'blk.1.attn_q.bias': is missing")
      << "but all or none in a layer";
}

TEST_F(TransformerTest, loads_biases_of_layers_where_they_are_optional) {
  TinyModel model({.num_layers = 1});
  model.writer().add_f32("blk.0.attn_output.bias", {32}, std::vector<float>(32));
  model.writer().add_f32("blk.0.ffn_down.bias", {32}, std::vector<float>(32));
  RecordingBackend backend;
  make_transformer(*open(model), backend, {});
  EXPECT_EQ(backend.loaded[3], "linear 32 x 32 bias 32");
  EXPECT_EQ(backend.loaded[6], "linear 32 x 48 bias 32");
}

TEST_F(TransformerTest, refuses_tensors_that_it_would_ignore) {
  TinyModel model({});
  model.writer().add_f32("blk.0.attn_q_norm.weight", {8}, std::vector<float>(8));
  EXPECT_EQ(
      error(model),
      "tensor 'blk.0.attn_q_norm.weight': is not part of the architecture that the file names; the model is "
      "of another kind");
  TinyModel rope({});
  rope.writer().add_f32("rope_freqs.weight", {4}, std::vector<float>(4, 1.0F));
  EXPECT_EQ(error(rope), "no error") << "known, though not a weight";
}

}  // namespace
}  // namespace parley::inference::model
