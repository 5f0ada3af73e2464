#include "inference/tokenizer/read_merges.h"

#include <gtest/gtest.h>

#include <stdexcept>

#include "tests/fakes/message_of.h"
#include "tests/inference/tokenizer/tiny_vocabulary.h"

namespace parley::inference::tokenizer {
namespace {

MergeTable read(const formats::GgufFile& file) {
  const TokenizerMetadata metadata = read_tokenizer_metadata(file);
  return read_merges(metadata, Vocabulary(metadata));
}

void expect_error(const TinyVocabulary& vocabulary, const std::string& key, const std::string& problem) {
  const auto file = vocabulary.file();
  const std::string error = tests::fakes::message_of([&] { read(file); });
  EXPECT_EQ(error, "fake.gguf: metadata key '" + key + "': " + problem);
}

void expect_bad_merge(const std::string& merge, const std::string& problem) {
  TinyVocabulary vocabulary;
  vocabulary.merge("a", "b");
  vocabulary.add_named("<|end|>", TokenType::control);
  vocabulary.add_named("[PAD1]", TokenType::unused);
  vocabulary.merges().push_back(merge);
  expect_error(vocabulary, "tokenizer.ggml.merges", "entry 1 " + problem);
}

TEST(ReadMerges, keeps_order_and_result) {
  TinyVocabulary vocabulary;
  const TokenId space_a = vocabulary.merge(" ", "a");
  const TokenId word = vocabulary.merge(" a", "b");
  const MergeTable merges = read(vocabulary.file());
  EXPECT_EQ(merges.find(' ', 'a'), 0u);
  EXPECT_EQ(merges.result(0), space_a);
  EXPECT_EQ(merges.find(space_a, 'b'), 1u);
  EXPECT_EQ(merges.result(1), word);
  EXPECT_EQ(merges.find('a', 'b'), MergeTable::kNoRank);
}

TEST(ReadMerges, a_merge_may_make_a_user_defined_token) {
  TinyVocabulary vocabulary;
  const TokenId defined = vocabulary.add_named("ab", TokenType::user_defined);
  vocabulary.merges().push_back("a b");
  EXPECT_EQ(read(vocabulary.file()).result(0), defined);
}

TEST(ReadMerges, refuses_malformed_merges) {
  const std::string problem = "must be two names of tokens with a space between them";
  for (const char* merge : {"", " ", "a", "ab", "a ", " a", "a  b", "a b c", " a b", "a b "}) {
    expect_bad_merge(merge, problem);
  }
}

TEST(ReadMerges, refuses_tokens_that_do_not_exist) {
  expect_bad_merge("a c", "needs a token that is not in the vocabulary");   // the result
  expect_bad_merge("zz b", "needs a token that is not in the vocabulary");  // the left part
  expect_bad_merge("a zz", "needs a token that is not in the vocabulary");
}

TEST(ReadMerges, refuses_to_make_special_tokens_from_data) {
  TinyVocabulary vocabulary;
  vocabulary.merge("e", "n");
  const TokenId special = vocabulary.add_named("<s", TokenType::control);
  vocabulary.merges().push_back("< s");
  expect_error(vocabulary, "tokenizer.ggml.merges",
               "entry 1 uses token " + std::to_string(special) + ", which is special");
}

TEST(ReadMerges, refuses_repetitions) {
  expect_bad_merge("a b", "is there twice");
  TinyVocabulary vocabulary;
  vocabulary.add_named("a", TokenType::normal);
  expect_error(vocabulary, "tokenizer.ggml.tokens", "entry 256 is the same as entry 97");
  TinyVocabulary special;
  special.add_named("<s>", TokenType::control);
  special.add_named("<s>", TokenType::unused);
  expect_error(special, "tokenizer.ggml.tokens", "entry 257 is the same as entry 256");
}

TEST(ReadMerges, several_tokens_may_have_no_name) {
  TinyVocabulary vocabulary;
  vocabulary.add_named("", TokenType::normal);
  vocabulary.add_named("", TokenType::control);
  vocabulary.merge("a", "b");
  EXPECT_EQ(read(vocabulary.file()).find('a', 'b'), 0u);
}

}  // namespace
}  // namespace parley::inference::tokenizer
