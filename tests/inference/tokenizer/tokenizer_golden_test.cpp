// The tokenizers of real model files against the `tokenizers` library (tests/goldens/tokenizer).
#include <gtest/gtest.h>

#include <cstdio>
#include <ostream>
#include <string>

#include "inference/formats/gguf.h"
#include "inference/tokenizer/normalize.h"
#include "inference/tokenizer/tokenizer.h"
#include "tests/fakes/model_files.h"
#include "tests/inference/tokenizer/goldens.h"

namespace parley::inference::tokenizer {
namespace {

using Ids = std::vector<TokenId>;

struct RealModel {
  const char* file;
  const char* pre_tokenizer;
  TokenId end_of_text;
  TokenId end_of_turn;
};

void PrintTo(const RealModel& model, std::ostream* out) { *out << model.file; }

std::string fnv1a(const Ids& ids) {
  std::uint64_t value = 0xCBF29CE484222325u;
  for (const TokenId id : ids) value = (value ^ static_cast<std::uint64_t>(id)) * 0x100000001B3u;
  std::string hex(17, '\0');
  std::snprintf(hex.data(), hex.size(), "%016lx", static_cast<unsigned long>(value));
  return hex.substr(0, 16);
}

class TokenizerGoldenTest : public testing::TestWithParam<RealModel> {
 protected:
  void SetUp() override {
    const auto path = tests::fakes::find_model(GetParam().file);
    if (!path) GTEST_SKIP() << tests::fakes::missing_model(GetParam().file);
    tokenizer_ = make_tokenizer(*formats::open_gguf(*path));
    goldens_ = load_goldens();
  }

  const GoldenIds& expected() const { return goldens_.ids.at(GetParam().pre_tokenizer); }

  std::unique_ptr<Tokenizer> tokenizer_;
  Goldens goldens_;
};

TEST_P(TokenizerGoldenTest, texts_give_the_ids_of_the_reference) {
  ASSERT_GE(goldens_.texts.size(), 300u);
  ASSERT_EQ(expected().texts.size(), goldens_.texts.size());
  for (std::size_t index = 0; index < goldens_.texts.size(); ++index) {
    EXPECT_EQ(tokenizer_->encode(goldens_.texts[index]), expected().texts[index]) << goldens_.texts[index];
  }
}

TEST_P(TokenizerGoldenTest, names_of_special_tokens_are_text_in_data_and_tokens_in_templates) {
  ASSERT_FALSE(goldens_.special_texts.empty());
  for (std::size_t index = 0; index < goldens_.special_texts.size(); ++index) {
    const std::string& text = goldens_.special_texts[index];
    const Ids data = tokenizer_->encode(text);
    EXPECT_EQ(data, expected().special_as_data.at(index)) << text;
    for (const TokenId id : data) EXPECT_FALSE(tokenizer_->is_special(id)) << text;
    const TrustedRange whole{0, text.size()};
    EXPECT_EQ(tokenizer_->encode(text, {&whole, 1}), expected().special_as_template.at(index)) << text;
  }
}

TEST_P(TokenizerGoldenTest, long_runs_give_the_ids_of_the_reference) {
  ASSERT_FALSE(goldens_.repeated.empty());
  for (std::size_t index = 0; index < goldens_.repeated.size(); ++index) {
    const Ids ids = tokenizer_->encode(goldens_.repeated[index]);
    EXPECT_EQ(ids.size(), expected().repeated.at(index).num_ids) << index;
    EXPECT_EQ(fnv1a(ids), expected().repeated.at(index).fnv1a) << index;
  }
}

TEST_P(TokenizerGoldenTest, decoding_gives_normal_text_back) {
  for (const std::string& text : goldens_.texts) {
    std::string buffer;
    std::string expected_text(GetParam().pre_tokenizer == std::string("qwen2") ? to_nfc(text, buffer) : text);
    // SmolLM2 has no token for these bytes.
    std::erase_if(expected_text, [&](char byte) { return tokenizer_->encode(std::string(1, byte)).empty(); });
    EXPECT_EQ(tokenizer_->decode(tokenizer_->encode(text), /*with_special=*/false), expected_text);
  }
}

TEST_P(TokenizerGoldenTest, ends_of_a_turn_are_known) {
  Ids stops = {GetParam().end_of_text, GetParam().end_of_turn};
  EXPECT_EQ(tokenizer_->special_tokens().stops, stops);
  EXPECT_FALSE(tokenizer_->special_tokens().add_bos);
  for (const TokenId id : stops) EXPECT_TRUE(tokenizer_->is_special(id));
}

INSTANTIATE_TEST_SUITE_P(Models, TokenizerGoldenTest,
                         testing::Values(RealModel{"SmolLM2-135M-Instruct.Q4_1.gguf", "smollm", 0, 2},
                                         RealModel{"qwen2.5-coder-0.5b.gguf", "qwen2", 151643, 151645},
                                         RealModel{"qwen2.5-coder-1.5b.gguf", "qwen2", 151643, 151645}),
                         [](const auto& parameter) { return "model_" + std::to_string(parameter.index); });

}  // namespace
}  // namespace parley::inference::tokenizer
