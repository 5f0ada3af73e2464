#include "inference/tokenizer/tokenizer_metadata.h"

#include <gtest/gtest.h>

#include <stdexcept>

#include "tests/fakes/message_of.h"
#include "tests/inference/tokenizer/tiny_vocabulary.h"

namespace parley::inference::tokenizer {
namespace {

using tests::fakes::FakeGgufFile;

std::string error_of(const FakeGgufFile& file) {
  return tests::fakes::message_of([&] { read_tokenizer_metadata(file); });
}

// The message must name the file and the key, and say `problem`.
void expect_error(const FakeGgufFile& file, const std::string& key, const std::string& problem) {
  const std::string error = error_of(file);
  EXPECT_NE(error.find("fake.gguf: metadata key '" + key + "': "), std::string::npos) << error;
  EXPECT_NE(error.find(problem), std::string::npos) << error;
}

FakeGgufFile with(std::string_view key, formats::MetadataValue value) {
  FakeGgufFile file = TinyVocabulary().file();
  file.set(key, std::move(value));
  return file;
}

FakeGgufFile without(std::string_view key) {
  FakeGgufFile file = TinyVocabulary().file();
  file.erase(key);
  return file;
}

TEST(TokenizerMetadata, is_read) {
  FakeGgufFile file = TinyVocabulary("llama-bpe").file();
  file.set("tokenizer.ggml.bos_token_id", std::uint64_t{1});
  file.set("tokenizer.ggml.eos_token_id", std::int64_t{2});
  file.set("tokenizer.ggml.eot_token_id", std::uint64_t{3});
  file.set("tokenizer.ggml.eom_token_id", std::uint64_t{255});
  const TokenizerMetadata metadata = read_tokenizer_metadata(file);
  EXPECT_EQ(metadata.names.size(), 256u);
  EXPECT_EQ(metadata.types.size(), 256u);
  EXPECT_EQ(metadata.rules, find_pre_tokenizer_rules("llama-bpe"));
  EXPECT_EQ(metadata.bos, 1);
  EXPECT_EQ(metadata.eos, 2);
  EXPECT_EQ(metadata.eot, 3);
  EXPECT_EQ(metadata.eom, 255);
}

TEST(TokenizerMetadata, whether_bos_is_added_depends_on_the_family_if_the_file_is_silent) {
  EXPECT_TRUE(read_tokenizer_metadata(TinyVocabulary("llama-bpe").file()).add_bos);
  EXPECT_FALSE(read_tokenizer_metadata(TinyVocabulary("qwen2").file()).add_bos);
  FakeGgufFile file = TinyVocabulary("llama-bpe").file();
  file.set("tokenizer.ggml.add_bos_token", false);
  EXPECT_FALSE(read_tokenizer_metadata(file).add_bos);
}

TEST(TokenizerMetadata, another_kind_of_tokenizer_is_refused) {
  expect_error(without("tokenizer.ggml.model"), "tokenizer.ggml.model", "is missing");
  expect_error(with("tokenizer.ggml.model", std::string("llama")), "tokenizer.ggml.model",
               "'llama' is not supported; supported is gpt2");
  expect_error(with("tokenizer.ggml.model", true), "tokenizer.ggml.model", "must be a string");
}

TEST(TokenizerMetadata, another_pre_tokenizer_is_refused_with_those_supported) {
  expect_error(without("tokenizer.ggml.pre"), "tokenizer.ggml.pre", "smollm, qwen2, gpt-2, llama-bpe");
  expect_error(with("tokenizer.ggml.pre", std::string("tekken")), "tokenizer.ggml.pre",
               "'tekken' is not supported; supported are smollm, qwen2, gpt-2, llama-bpe");
}

TEST(TokenizerMetadata, hostile_names_do_not_reach_the_message) {
  const std::string error = error_of(with("tokenizer.ggml.pre", "\x1b[2J\n" + std::string(100'000, 'x')));
  EXPECT_LT(error.size(), 300u);
  EXPECT_EQ(error.find('\x1b'), std::string::npos);
  EXPECT_NE(error.find("'?[2J?xxx"), std::string::npos) << error;
}

TEST(TokenizerMetadata, tokens_must_be_there_and_be_utf8) {
  expect_error(without("tokenizer.ggml.tokens"), "tokenizer.ggml.tokens", "is missing or empty");
  expect_error(with("tokenizer.ggml.tokens", std::vector<std::int64_t>{1}), "tokenizer.ggml.tokens",
               "must be an array of strings");
  TinyVocabulary vocabulary;
  vocabulary.names()[65] = "\xC3";
  expect_error(vocabulary.file(), "tokenizer.ggml.tokens", "entry 65 is not valid UTF-8");
}

TEST(TokenizerMetadata, types_must_fit_the_tokens) {
  TinyVocabulary vocabulary;
  vocabulary.types().pop_back();
  expect_error(vocabulary.file(), "tokenizer.ggml.token_type", "255 entries for 256 tokens");
  for (const std::int64_t type : {std::int64_t{-1}, std::int64_t{0}, std::int64_t{7}, INT64_MAX}) {
    TinyVocabulary wrong;
    wrong.types()[3] = type;
    expect_error(wrong.file(), "tokenizer.ggml.token_type", "entry 3 is " + std::to_string(type));
  }
  expect_error(with("tokenizer.ggml.token_type", std::string("x")), "tokenizer.ggml.token_type",
               "must be an array");
}

TEST(TokenizerMetadata, ids_must_be_tokens) {
  for (const char* key : {"tokenizer.ggml.bos_token_id", "tokenizer.ggml.eos_token_id",
                          "tokenizer.ggml.eot_token_id", "tokenizer.ggml.eom_token_id"}) {
    expect_error(with(key, std::uint64_t{256}), key, "256 is no token; there are 256");
    expect_error(with(key, std::int64_t{-1}), key, "-1 is no token");
    expect_error(with(key, std::uint64_t{0xFFFFFFFF}), key, "4294967295 is no token");
    expect_error(with(key, UINT64_MAX), key, "");
    expect_error(with(key, std::string("1")), key, "must be an integer");
  }
}

TEST(TokenizerMetadata, types_and_merges_may_be_absent) {
  FakeGgufFile file = without("tokenizer.ggml.token_type");
  file.erase("tokenizer.ggml.merges");
  const TokenizerMetadata metadata = read_tokenizer_metadata(file);
  EXPECT_TRUE(metadata.types.empty());
  EXPECT_TRUE(metadata.merges.empty());
}

}  // namespace
}  // namespace parley::inference::tokenizer
