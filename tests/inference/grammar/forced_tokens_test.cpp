#include "inference/grammar/forced_tokens.h"

#include <gtest/gtest.h>

#include <string>

#include "tests/inference/grammar/merging_vocabulary.h"
#include "tests/inference/grammar/real_vocabulary.h"

namespace parley::inference::grammar {
namespace {

TEST(ForcedTokens, leave_out_what_a_longer_token_could_still_take_the_place_of) {
  const MergingVocabulary words;
  const auto tokens = [&](std::string_view forced, ForcedEnd end) {
    return forced_tokens(words.index(), {}, forced, end);
  };
  EXPECT_EQ(tokens("{\"name\": ", ForcedEnd::open), words.tokens({"{\"", "name", "\":"}));
  EXPECT_EQ(tokens("{\"name\": ", ForcedEnd::closed), words.tokens({"{\"", "name", "\":", " "}));
  EXPECT_EQ(tokens("{\"na", ForcedEnd::open), words.tokens({"{\""}));
  EXPECT_EQ(tokens("name", ForcedEnd::open), words.tokens({"name"}));
  EXPECT_EQ(tokens("", ForcedEnd::open), std::vector<TokenId>{});
}

TEST(ForcedTokens, go_on_behind_the_context_unless_a_token_would_cross_the_border) {
  const MergingVocabulary words;
  EXPECT_EQ(forced_tokens(words.index(), words.tokens({"{\""}), "name\": 1"),
            words.tokens({"name", "\":", " 1"}));
  EXPECT_EQ(forced_tokens(words.index(), words.tokens({"{\"", "na"}), "me\": 1"), std::vector<TokenId>{});
  EXPECT_EQ(forced_tokens(words.index(), words.tokens({"n"}), "ame"), std::vector<TokenId>{});
}

TEST(ForcedTokens, go_on_behind_tokens_that_text_is_never_tokenized_to) {
  const MergingVocabulary words;
  for (const TokenId before : {words.call(), words.think(), words.end()}) {
    EXPECT_EQ(forced_tokens(words.index(), std::vector<TokenId>{before}, "name"), words.tokens({"name"}))
        << before;
  }
  const std::string name = "<tool_call>";
  EXPECT_EQ(forced_tokens(words.index(), {}, name, ForcedEnd::closed).size(), name.size())
      << "what is forced is text, whatever it says";
}

TEST(ForcedTokens, are_none_where_the_vocabulary_lacks_a_byte) {
  const MergingVocabulary words('q');
  EXPECT_EQ(forced_tokens(words.index(), {}, "name", ForcedEnd::closed), words.tokens({"name"}));
  EXPECT_EQ(forced_tokens(words.index(), {}, "nameq1", ForcedEnd::closed), std::vector<TokenId>{});
}

TEST(ForcedTokens, are_what_the_tokenizer_makes_of_the_whole_text) {
  const auto tokenizer = load_real_vocabulary();
  if (!tokenizer) GTEST_SKIP() << "RUN tests/bench/fetch_vocabulary.py: the vocabulary is missing";
  const VocabularyIndex index(*tokenizer);
  const std::string text =
      "<tool_call>\n{\"name\": \"get_weather\", \"arguments\": {\"city\": \"Paris\", \"temperature_unit\": "
      "\"celsius\"}}\n";
  const std::vector<TokenId> whole = tokenizer->encode(text);
  int num_given = 0;
  for (std::size_t split = 0; split < whole.size(); ++split) {
    const std::vector<TokenId> before(whole.begin(), whole.begin() + static_cast<std::ptrdiff_t>(split));
    const std::string forced = text.substr(tokenizer->decode(before, true).size());
    for (std::size_t size = 1; size <= forced.size(); ++size) {
      const std::vector<TokenId> given = forced_tokens(index, before, forced.substr(0, size));
      ASSERT_LE(given.size(), whole.size() - split);
      ASSERT_TRUE(std::equal(given.begin(), given.end(), whole.begin() + static_cast<std::ptrdiff_t>(split)))
          << "behind " << split << " tokens: " << forced.substr(0, size);
      num_given += given.empty() ? 0 : 1;
    }
  }
  EXPECT_GT(num_given, 500);
}

}  // namespace
}  // namespace parley::inference::grammar
