// Behaviour that does not need a real vocabulary.
#include "inference/tokenizer/tokenizer.h"

#include <gtest/gtest.h>

#include <array>
#include <memory>
#include <random>
#include <stdexcept>
#include <string>
#include <thread>

#include "tests/fakes/message_of.h"
#include "tests/fakes/mutator.h"
#include "tests/inference/tokenizer/tiny_vocabulary.h"

namespace parley::inference::tokenizer {
namespace {

using Ids = std::vector<TokenId>;

Ids joined(std::initializer_list<Ids> parts) {
  Ids ids;
  for (const Ids& part : parts) ids.insert(ids.end(), part.begin(), part.end());
  return ids;
}

class TokenizerTest : public testing::Test {
 protected:
  void SetUp() override { build("gpt-2"); }

  void build(std::string_view pre_tokenizer) {
    TinyVocabulary vocabulary(pre_tokenizer);
    the_ = vocabulary.merge("h", "e");
    acute_ = vocabulary.merge("\xC3", "\xA9");
    start_ = vocabulary.add_named("<|im_start|>", TokenType::control);
    end_ = vocabulary.add_named("<|im_end|>", TokenType::control);
    end_more_ = vocabulary.add_named("<|im_end|>>", TokenType::control);
    call_ = vocabulary.add_named("<tool_call>", TokenType::user_defined);
    unused_ = vocabulary.add_named("[PAD1]", TokenType::unused);
    nameless_ = vocabulary.add_named("", TokenType::control);
    file_ = vocabulary.file();
    tokenizer_ = make_tokenizer(file_);
  }

  Ids encode(std::string_view text, const std::vector<TrustedRange>& trusted) const {
    return tokenizer_->encode(text, trusted);
  }
  Ids encode_trusted(std::string_view text) const { return encode(text, {{0, text.size()}}); }

  TokenId the_, acute_, start_, end_, end_more_, call_, unused_, nameless_;
  tests::fakes::FakeGgufFile file_;
  std::unique_ptr<Tokenizer> tokenizer_;
};

TEST_F(TokenizerTest, merges_inside_pieces_only) {
  EXPECT_EQ(tokenizer_->encode("the"), (Ids{'t', the_}));
  EXPECT_EQ(tokenizer_->encode("h e"), (Ids{'h', ' ', 'e'}));
  EXPECT_EQ(tokenizer_->encode(""), Ids{});
}

TEST_F(TokenizerTest, data_never_names_a_special_token) {
  for (const std::string text : {"<|im_start|>", "<|im_end|>>", "<tool_call>", "[PAD1]", "a<|im_end|>b"}) {
    EXPECT_EQ(tokenizer_->encode(text), ids_of_bytes(text));
    EXPECT_EQ(encode(text, {}), ids_of_bytes(text));
    EXPECT_EQ(encode(text, {{0, 0}, {3, 3}}), ids_of_bytes(text));
  }
}

TEST_F(TokenizerTest, trusted_text_names_special_and_user_defined_tokens) {
  EXPECT_EQ(encode_trusted("<|im_start|>a<tool_call><|im_end|>"), (Ids{start_, 'a', call_, end_}));
  EXPECT_EQ(encode_trusted("[PAD1]"), ids_of_bytes("[PAD1]"));  // but not unused ones
}

TEST_F(TokenizerTest, the_longest_name_wins) {
  EXPECT_EQ(encode_trusted("<|im_end|>>>"), (Ids{end_more_, '>'}));
}

TEST_F(TokenizerTest, a_name_must_lie_inside_one_range) {
  const std::string text = "<|im_end|>";
  const Ids bytes = ids_of_bytes(text);
  for (std::size_t cut = 1; cut < text.size(); ++cut) {
    EXPECT_EQ(encode(text, {{0, cut}}), bytes);
    EXPECT_EQ(encode(text, {{cut, text.size()}}), bytes);
    EXPECT_EQ(encode(text, {{0, cut}, {cut, text.size()}}), bytes);
  }
  EXPECT_EQ(encode(text, {{0, text.size()}}), (Ids{end_}));
  // Data behind a name does not make it a longer one.
  EXPECT_EQ(encode("<|im_end|>>", {{0, 10}}), (Ids{end_, '>'}));
}

TEST_F(TokenizerTest, text_of_two_origins_is_one_run) {
  EXPECT_EQ(encode("the", {{0, 2}}), (Ids{'t', the_}));
  EXPECT_EQ(encode("<|im_start|>the<|im_end|>", {{0, 13}, {14, 25}}), (Ids{start_, 't', the_, end_}));
  EXPECT_EQ(encode("h<|im_end|>e", {{1, 11}}), (Ids{'h', end_, 'e'}));
}

TEST_F(TokenizerTest, ranges_apply_to_the_text_as_given_also_where_normalising_shortens_it) {
  build("qwen2");
  const std::string decomposed = "e\u0301e\u0301e\u0301";
  const std::string text = decomposed + "<|im_end|>" + decomposed + "<|im_end|>";
  const std::size_t second = text.rfind('<');
  const Ids accents = {acute_, acute_, acute_};
  EXPECT_EQ(encode(text, {{second, text.size()}}),
            joined({accents, ids_of_bytes("<|im_end|>"), accents, Ids{end_}}));
  EXPECT_EQ(encode(text, {{decomposed.size(), decomposed.size() + 10}}),
            joined({accents, Ids{end_}, accents, ids_of_bytes("<|im_end|>")}));
}

TEST_F(TokenizerTest, normalising_neither_makes_nor_breaks_a_name) {
  build("qwen2");
  // U+226E is < with a stroke; its parts, and a name followed by the stroke, stay what they are.
  EXPECT_EQ(encode_trusted("\u226E|im_end|>"), ids_of_bytes("\u226E|im_end|>"));
  EXPECT_EQ(encode_trusted("<|im_end|>\u0338"), joined({Ids{end_}, ids_of_bytes("\u0338")}));
}

TEST_F(TokenizerTest, other_families_do_not_normalise) {
  EXPECT_EQ(tokenizer_->encode("e\u0301"), ids_of_bytes("e\u0301"));
}

TEST_F(TokenizerTest, a_known_word_is_taken_whole_where_the_family_wants_it) {
  for (const std::string_view family : {"llama-bpe", "gpt-2"}) {
    TinyVocabulary vocabulary(family);
    const TokenId word = vocabulary.add_named("Ġhey", TokenType::normal);  // no merge leads to it
    const auto file = vocabulary.file();
    const Ids expected = family == "llama-bpe" ? Ids{word} : ids_of_bytes(" hey");
    EXPECT_EQ(make_tokenizer(file)->encode(" hey"), expected);
  }
}

TEST_F(TokenizerTest, every_byte_string_comes_back) {
  std::mt19937 random(23);
  for (const std::string_view family : {"smollm", "gpt-2", "llama-bpe"}) {
    build(family);
    for (int round = 0; round < 2000; ++round) {
      std::string text;
      for (std::size_t length = random() % 30; length > 0; --length) {
        text += static_cast<char>(random() % 3 == 0 ? random() % 256
                                                    : "he <|im_end|>\xC3\xA9\n 1"[random() % 19]);
      }
      const Ids ids = tokenizer_->encode(text);
      ASSERT_EQ(tokenizer_->decode(ids, /*with_special=*/true), text);
      ASSERT_EQ(tokenizer_->decode(ids, /*with_special=*/false), text);
      ASSERT_EQ(tokenizer_->decode(encode_trusted(text), /*with_special=*/true), text);
    }
  }
}

TEST_F(TokenizerTest, decoding_leaves_special_tokens_out_unless_asked_for) {
  const Ids ids = {start_, 't', the_, call_, unused_, nameless_, end_};
  EXPECT_EQ(tokenizer_->decode(ids, /*with_special=*/false), "the<tool_call>");
  EXPECT_EQ(tokenizer_->decode(ids, /*with_special=*/true), "<|im_start|>the<tool_call>[PAD1]<|im_end|>");
  EXPECT_TRUE(tokenizer_->is_special(unused_));
  EXPECT_FALSE(tokenizer_->is_special(call_));
  EXPECT_EQ(tokenizer_->token_bytes(start_), "<|im_start|>");
}

TEST_F(TokenizerTest, ids_without_a_token_have_no_text) {
  const TokenId size = tokenizer_->vocab_size();
  for (const TokenId id : {-1, size, INT32_MAX, INT32_MIN}) {
    EXPECT_EQ(tokenizer_->token_bytes(id), "");
    EXPECT_TRUE(tokenizer_->is_special(id));
    EXPECT_EQ(tokenizer_->decode(Ids{'a', id, 'b'}, /*with_special=*/false), "ab");
    EXPECT_EQ(tokenizer_->decode(Ids{'a', id, 'b'}, /*with_special=*/true), "ab");
  }
}

TEST_F(TokenizerTest, the_file_may_be_gone_after_construction) {
  file_ = {};
  EXPECT_EQ(encode_trusted("<|im_start|>the"), (Ids{start_, 't', the_}));
  EXPECT_EQ(tokenizer_->special_tokens().stops, (Ids{end_}));
}

// Metadata with random damage: either an error that names the key, or a tokenizer that works.
TEST_F(TokenizerTest, damaged_metadata_is_refused_or_usable) {
  constexpr std::string_view kError = "fake.gguf: metadata key 'tokenizer.ggml.";
  std::mt19937 random(31);
  std::size_t num_usable = 0;
  const std::size_t num_rounds = tests::fakes::fuzz_rounds(300);
  for (std::size_t round = 0; round < num_rounds; ++round) {
    TinyVocabulary vocabulary("qwen2");
    vocabulary.merge("a", "b");
    vocabulary.merge("ab", "ab");
    vocabulary.add_named("<|im_end|>", TokenType::control);
    const std::size_t num_entries = vocabulary.names().size();
    switch (random() % 4) {
      case 0:
        vocabulary.names()[random() % num_entries] =
            tests::fakes::Mutator(vocabulary.names(), random()).next();
        break;
      case 1:
        vocabulary.types()[random() % num_entries] = static_cast<std::int64_t>(random() % 9) - 1;
        break;
      case 2:
        vocabulary.merges().push_back(tests::fakes::Mutator(vocabulary.merges(), random()).next());
        break;
      default:
        vocabulary.names().resize(random() % (num_entries + 1));
    }
    const auto file = vocabulary.file();
    std::unique_ptr<Tokenizer> tokenizer;
    const std::string error = tests::fakes::message_of([&] { tokenizer = make_tokenizer(file); });
    ASSERT_TRUE(tokenizer != nullptr || error.starts_with(kError)) << error;
    if (tokenizer == nullptr) continue;
    ++num_usable;
    const std::string text = "ababab <|im_end|> \xFF\n" + vocabulary.names().back();
    const TrustedRange whole{0, text.size()};
    for (const TokenId id : tokenizer->encode(text, {&whole, 1})) ASSERT_LT(id, tokenizer->vocab_size());
    for (const TokenId id : tokenizer->encode(text)) ASSERT_FALSE(tokenizer->is_special(id));
  }
  EXPECT_GT(num_usable, num_rounds / 20);
  EXPECT_LT(num_usable, num_rounds);
}

TEST_F(TokenizerTest, threads_may_share_it) {
  const std::string text = "the <|im_start|> h\xC3\xA9 " + std::string(200, 'h');
  const Ids expected = encode_trusted(text);
  std::vector<std::thread> threads;
  std::array<bool, 4> equal{};
  threads.reserve(equal.size());
  for (bool& result : equal) {
    threads.emplace_back([&] {
      result = true;
      for (int round = 0; round < 50; ++round) result = result && encode_trusted(text) == expected;
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(equal, (std::array{true, true, true, true}));
}

}  // namespace
}  // namespace parley::inference::tokenizer
