#include "inference/tokenizer/pre_tokenizer_rules.h"

#include <gtest/gtest.h>

namespace parley::inference::tokenizer {
namespace {

TEST(PreTokenizerRules, are_found_by_every_name) {
  for (const char* name : {"smollm", "qwen2", "gpt-2", "gpt2", "llama-bpe", "llama3", "llama-v3"}) {
    EXPECT_NE(find_pre_tokenizer_rules(name), nullptr) << name;
  }
  EXPECT_EQ(find_pre_tokenizer_rules("gpt-2"), find_pre_tokenizer_rules("gpt2"));
}

TEST(PreTokenizerRules, unknown_names_have_none) {
  EXPECT_EQ(find_pre_tokenizer_rules(""), nullptr);
  EXPECT_EQ(find_pre_tokenizer_rules("default"), nullptr);
  EXPECT_EQ(find_pre_tokenizer_rules("qwen"), nullptr);
}

TEST(PreTokenizerRules, messages_name_each_once) {
  EXPECT_EQ(supported_pre_tokenizers(), "smollm, qwen2, gpt-2, llama-bpe");
}

}  // namespace
}  // namespace parley::inference::tokenizer
