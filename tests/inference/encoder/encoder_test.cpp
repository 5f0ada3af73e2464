#include "inference/encoder/encoder.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "tests/fakes/model_files.h"
#include "tests/inference/encoder/encoder_goldens.h"

namespace parley::inference::encoder {
namespace {

struct Model {
  explicit Model(const std::filesystem::path& folder)
      : config(read_encoder_config(folder)),
        file(formats::open_safetensors(folder / "model.safetensors")),
        source(find_encoder_weights(*file, config)) {}

  EncoderConfig config;
  std::unique_ptr<formats::SafetensorsFile> file;
  EncoderSource source;
};

std::vector<float> vectors_of(Encoder& encoder, const std::vector<TokenIds>& sequences,
                              const EncoderConfig& config) {
  std::vector<float> out(sequences.size() * static_cast<std::size_t>(config.hidden_dim));
  encode(encoder, sequences, out);
  return out;
}

std::span<const float> row(const std::vector<float>& rows, std::size_t index, const EncoderConfig& config) {
  const auto dim = static_cast<std::size_t>(config.hidden_dim);
  return std::span(rows).subspan(index * dim, dim);
}

class TinyBert : public testing::Test {
 protected:
  Model model_{kGoldens + "tiny_bert"};
  const json::JsonValue golden_ = read_golden("tiny_bert/golden.json");
  const std::vector<TokenIds> sequences_ = ids_of(golden_.as_object(), "sequences");
};

TEST_F(TinyBert, TheReferenceIsTransformersForEachPooling) {
  const std::pair<const char*, Pooling> cases[] = {
      {"mean_normalised", Pooling::mean}, {"first", Pooling::first}, {"last", Pooling::last}};
  for (const auto& [name, pooling] : cases) {
    model_.config.pooling = pooling;
    model_.config.normalise = pooling == Pooling::mean;
    const auto encoder = make_reference_encoder(model_.config, model_.source);
    const std::vector<float> out = vectors_of(*encoder, sequences_, model_.config);
    const std::vector<float> expected = floats_of(golden_.as_object(), name);
    ASSERT_EQ(out.size(), expected.size());
    for (std::size_t i = 0; i < out.size(); ++i) EXPECT_NEAR(out[i], expected[i], 2e-5f) << name << " " << i;
  }
}

TEST_F(TinyBert, TheFastPathIsCloseToTheReference) {
  model_.config.normalise = true;
  kernels::cpu::ComputePool pool(2);
  const auto fast = make_cpu_encoder(model_.config, model_.source, pool);
  const std::vector<float> out = vectors_of(*fast, sequences_, model_.config);
  const std::vector<float> expected = floats_of(golden_.as_object(), "mean_normalised");
  for (std::size_t i = 0; i < sequences_.size(); ++i) {
    EXPECT_GT(cosine(row(out, i, model_.config), row(expected, i, model_.config)), 0.999) << i;
  }
}

TEST_F(TinyBert, AVectorDependsOnItsSequenceOnly) {
  kernels::cpu::ComputePool one(1), three(3);
  const auto alone = make_cpu_encoder(model_.config, model_.source, one);
  const auto together = make_cpu_encoder(model_.config, model_.source, three);
  std::vector<TokenIds> many;
  for (int i = 0; i < 5; ++i) many.insert(many.end(), sequences_.begin(), sequences_.end());
  std::reverse(many.begin(), many.end());
  const std::vector<float> out = vectors_of(*together, many, model_.config);
  for (std::size_t i = 0; i < many.size(); ++i) {
    const std::vector<float> single = vectors_of(*alone, {many[i]}, model_.config);
    EXPECT_TRUE(std::equal(single.begin(), single.end(), row(out, i, model_.config).begin())) << i;
  }
}

TEST_F(TinyBert, AMissingOrMisshapenTensorIsNamed) {
  const auto refusal = [&](const EncoderConfig& config) -> std::string {
    try {
      find_encoder_weights(*model_.file, config);
    } catch (const std::runtime_error& error) {
      return error.what();
    }
    return "";
  };
  EncoderConfig deeper = model_.config;
  deeper.num_layers = 3;
  EXPECT_EQ(refusal(deeper), "the model has no tensor encoder.layer.2.attention.self.query.weight");
  EncoderConfig wider = model_.config;
  wider.vocab_size = 102;
  EXPECT_EQ(refusal(wider), "tensor embeddings.word_embeddings.weight is [101, 64], expected [102, 64]");
}

// The bound: within 1e-3 of sentence-transformers, on the fast path too.
TEST(MiniLm, IsSentenceTransformersOnTwoHundredTexts) {
  const auto folder = tests::fakes::model_directory() / "all-minilm-l6-v2";
  if (!std::filesystem::exists(folder / "model.safetensors")) {
    GTEST_SKIP() << tests::fakes::missing_model("all-minilm-l6-v2");
  }
  const Model model(folder);
  EXPECT_EQ(model.config.pooling, Pooling::mean);
  EXPECT_TRUE(model.config.normalise);
  EXPECT_EQ(model.config.max_tokens, 256);
  const json::JsonValue golden = read_golden("all-minilm-l6-v2.json");
  const json::JsonValue texts = read_golden("texts.json");
  std::ifstream vocabulary(folder / "vocab.txt", std::ios::binary);
  const tokenizer::WordPiece words(std::string{std::istreambuf_iterator<char>(vocabulary), {}},
                                   model.config.words);
  std::vector<TokenIds> sequences = ids_of(golden.as_object(), "ids");
  ASSERT_EQ(sequences.size(), texts.as_array().size());
  for (std::size_t i = 0; i < sequences.size(); ++i) {
    TokenIds own = words.encode(std::string(texts.as_array()[i].as_string()));
    own.insert(own.begin(), words.begin_id());
    own.push_back(words.end_id());
    const bool names_special =
        std::string_view(texts.as_array()[i].as_string()).find("[CLS]") != std::string_view::npos;
    if (!names_special) {  // there they become special tokens, here never
      EXPECT_EQ(own, sequences[i]) << i;
    }
    if (sequences[i].size() > 256) {  // as sentence-transformers cuts: the end token stays
      sequences[i].resize(255);
      sequences[i].push_back(words.end_id());
    }
  }
  kernels::cpu::ComputePool pool(2);
  const auto encoder = make_cpu_encoder(model.config, model.source, pool);
  const std::vector<float> out = vectors_of(*encoder, sequences, model.config);
  const std::vector<float> expected = halves_of(golden.as_object(), "vectors_f16");
  double worst = 1;
  for (std::size_t i = 0; i < sequences.size(); ++i) {
    if (sequences[i].size() == 2) continue;  // a text of nothing is never embedded
    const double close = cosine(row(out, i, model.config), row(expected, i, model.config));
    worst = std::min(worst, close);
    EXPECT_GT(close, 0.999) << i;
  }
  RecordProperty("worst_cosine", std::to_string(worst));
}

}  // namespace
}  // namespace parley::inference::encoder
