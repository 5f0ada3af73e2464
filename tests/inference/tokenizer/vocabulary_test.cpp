#include "inference/tokenizer/vocabulary.h"

#include <gtest/gtest.h>

#include "tests/inference/tokenizer/tiny_vocabulary.h"

namespace parley::inference::tokenizer {
namespace {

Vocabulary make_vocabulary(const formats::GgufFile& file) {
  return Vocabulary(read_tokenizer_metadata(file));
}

TEST(Vocabulary, types_decide_what_a_token_is_used_for) {
  TinyVocabulary tiny;
  const TokenId control = tiny.add_named("<s>", TokenType::control);
  const TokenId unknown = tiny.add_named("<unk>", TokenType::unknown);
  const TokenId defined = tiny.add_named("<tool_call>", TokenType::user_defined);
  const TokenId unused = tiny.add_named("[PAD1]", TokenType::unused);
  const TokenId byte = tiny.add_named("<0x0A>", TokenType::byte);
  const TokenId mislabelled = tiny.add_named("<|im_end|>", TokenType::normal);
  const TokenId operators = tiny.add_named("<||>", TokenType::normal);
  const Vocabulary vocabulary = make_vocabulary(tiny.file());
  EXPECT_EQ(vocabulary.use('a'), TokenUse::text);
  EXPECT_EQ(vocabulary.use(control), TokenUse::special);
  EXPECT_EQ(vocabulary.use(unknown), TokenUse::special);
  EXPECT_EQ(vocabulary.use(defined), TokenUse::user_defined);
  EXPECT_EQ(vocabulary.use(unused), TokenUse::unused);
  EXPECT_EQ(vocabulary.use(byte), TokenUse::text);
  EXPECT_EQ(vocabulary.use(mislabelled), TokenUse::special);
  EXPECT_EQ(vocabulary.use(operators), TokenUse::text);
}

TEST(Vocabulary, without_types_declared_ends_and_beginnings_are_special) {
  TinyVocabulary tiny;
  const TokenId end = tiny.add_named("</s>", TokenType::normal);
  tests::fakes::FakeGgufFile file = tiny.file();
  file.set("tokenizer.ggml.eos_token_id", std::int64_t{end});
  EXPECT_EQ(make_vocabulary(file).use(end), TokenUse::text);
  file.erase("tokenizer.ggml.token_type");
  EXPECT_EQ(make_vocabulary(file).use(end), TokenUse::special);
}

TEST(Vocabulary, text_stands_for_bytes_and_names_for_themselves) {
  TinyVocabulary tiny;
  const TokenId word = tiny.merge(" ", "é");
  const TokenId control = tiny.add_named("<|Ġ|>", TokenType::control);
  const TokenId defined = tiny.add_named("  Ġ", TokenType::user_defined);
  const TokenId foreign = tiny.add_named("中", TokenType::normal);
  const TokenId empty = tiny.add_named("", TokenType::normal);
  const Vocabulary vocabulary = make_vocabulary(tiny.file());
  EXPECT_EQ(vocabulary.size(), 261);
  EXPECT_EQ(vocabulary.bytes(0xFF), "\xFF");
  EXPECT_EQ(vocabulary.bytes(word), " é");
  EXPECT_EQ(vocabulary.bytes(control), "<|Ġ|>");
  EXPECT_EQ(vocabulary.bytes(defined), "  Ġ");
  EXPECT_EQ(vocabulary.bytes(foreign), "中");
  EXPECT_EQ(vocabulary.bytes(empty), "");
}

TEST(Vocabulary, ids_without_a_token_are_empty_and_unused) {
  const Vocabulary vocabulary = make_vocabulary(TinyVocabulary().file());
  EXPECT_EQ(vocabulary.bytes(256), "");
  EXPECT_EQ(vocabulary.bytes(-1), "");
  EXPECT_EQ(vocabulary.use(-1), TokenUse::unused);
  EXPECT_EQ(vocabulary.use(256), TokenUse::unused);
}

TEST(Vocabulary, bytes_may_lack_a_token_and_special_tokens_stand_for_none) {
  TinyVocabulary tiny;
  tiny.names()['x'] = "xx";
  tiny.types()['y'] = static_cast<std::int64_t>(TokenType::control);
  tiny.types()['z'] = static_cast<std::int64_t>(TokenType::user_defined);
  const auto tokens = make_vocabulary(tiny.file()).byte_tokens();
  EXPECT_EQ(tokens['x'], kNoToken);
  EXPECT_EQ(tokens['y'], kNoToken);
  EXPECT_EQ(tokens['z'], 'z');
  EXPECT_EQ(tokens[0], 0);
  EXPECT_EQ(tokens[0xFF], 0xFF);
}

TEST(Vocabulary, words_are_text_only) {
  TinyVocabulary tiny;
  const TokenId word = tiny.merge(" ", "a");
  tiny.add_named("tool", TokenType::user_defined);
  tiny.add_named("中", TokenType::normal);
  tiny.add_named("", TokenType::normal);
  const Vocabulary vocabulary = make_vocabulary(tiny.file());
  const auto words = vocabulary.words();
  EXPECT_EQ(words.size(), 257u);
  EXPECT_EQ(words.at(" a"), word);
  EXPECT_FALSE(words.contains("tool"));
}

TEST(Vocabulary, stops_are_the_declared_ends_and_the_known_names) {
  TinyVocabulary tiny;
  const TokenId end_of_text = tiny.add_named("<|endoftext|>", TokenType::control);
  const TokenId start = tiny.add_named("<|im_start|>", TokenType::control);
  const TokenId end = tiny.add_named("<|im_end|>", TokenType::control);
  const TokenId eom = tiny.add_named("<eom>", TokenType::control);
  tests::fakes::FakeGgufFile file = tiny.file();
  file.set("tokenizer.ggml.bos_token_id", std::int64_t{start});
  file.set("tokenizer.ggml.eos_token_id", std::int64_t{end});
  file.set("tokenizer.ggml.eot_token_id", std::int64_t{'t'});
  file.set("tokenizer.ggml.eom_token_id", std::int64_t{eom});
  const TokenizerMetadata metadata = read_tokenizer_metadata(file);
  const SpecialTokens tokens = Vocabulary(metadata).special_tokens(metadata);
  EXPECT_EQ(tokens.bos, start);
  EXPECT_EQ(tokens.eos, end);
  EXPECT_EQ(tokens.stops, (std::vector<TokenId>{'t', end_of_text, end, eom}));
}

TEST(Vocabulary, may_have_no_special_tokens_at_all) {
  const tests::fakes::FakeGgufFile file = TinyVocabulary().file();
  const SpecialTokens tokens = make_vocabulary(file).special_tokens(read_tokenizer_metadata(file));
  EXPECT_EQ(tokens.bos, std::nullopt);
  EXPECT_EQ(tokens.eos, std::nullopt);
  EXPECT_TRUE(tokens.stops.empty());
}

}  // namespace
}  // namespace parley::inference::tokenizer
