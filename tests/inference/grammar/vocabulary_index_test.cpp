#include "inference/grammar/vocabulary_index.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <set>
#include <string>

#include "tests/inference/grammar/grammar_testing.h"

namespace parley::inference::grammar {
namespace {

// All tokens of a trie with their bytes, read node by node.
std::map<TokenId, std::string> contents(const TokenTrie& trie) {
  std::map<TokenId, std::string> out;
  std::string path;
  for (const TokenTrie::Node& node : trie.nodes()) {
    path.resize(node.depth() - 1u);
    path += static_cast<char>(node.byte());
    if (node.token() != TokenTrie::kNoToken) out.emplace(static_cast<TokenId>(node.token()), path);
  }
  for (const TokenTrie::Twin& twin : trie.twins()) out.emplace(twin.other, out.at(twin.token));
  return out;
}

TEST(VocabularyIndex, ordinary_tokens_are_in_the_trie_under_their_bytes) {
  const SmallVocabulary vocabulary;
  const auto found = contents(vocabulary.index()->ordinary());
  for (TokenId token = 0; token < vocabulary.tokenizer().vocab_size(); ++token) {
    const bool is_ordinary = !vocabulary.tokenizer().is_special(token);
    EXPECT_EQ(found.contains(token), is_ordinary) << token;
    EXPECT_EQ(has_bit(vocabulary.index()->ordinary_mask(), token), is_ordinary);
    if (!is_ordinary) continue;
    EXPECT_EQ(found.at(token), vocabulary.tokenizer().token_bytes(token));
  }
  EXPECT_TRUE(found.contains(vocabulary.call())) << "user-defined tokens are text once they are generated";
}

TEST(VocabularyIndex, control_tokens_are_found_by_name_only_and_ends_are_apart) {
  const SmallVocabulary vocabulary;
  EXPECT_EQ(vocabulary.index()->special_token("<think>"), vocabulary.think());
  EXPECT_EQ(vocabulary.index()->special_token("<tool_call>"), std::nullopt);
  EXPECT_EQ(vocabulary.index()->special_token("<|im_end|>"), std::nullopt);
  EXPECT_EQ(vocabulary.index()->user_token("<tool_call>"), vocabulary.call());
  EXPECT_EQ(vocabulary.index()->user_token("<think>"), std::nullopt);
  EXPECT_EQ(vocabulary.index()->user_token("<|im_end|>"), std::nullopt);
  EXPECT_EQ(vocabulary.index()->user_token("hello"), std::nullopt) << "text, whoever writes it";
  EXPECT_EQ(vocabulary.index()->user_token("<tool_call"), std::nullopt);
  EXPECT_EQ(vocabulary.index()->user_token(""), std::nullopt);
  EXPECT_TRUE(vocabulary.index()->is_end(vocabulary.end()));
  EXPECT_FALSE(vocabulary.index()->is_end(vocabulary.think()));
}

TEST(VocabularyIndex, a_slice_has_the_tokens_of_its_class_that_are_short_enough) {
  const SmallVocabulary vocabulary;
  std::size_t last = vocabulary.index()->num_tokens();
  std::set<TextClass> found;
  for (const VocabularyIndex::Slice& slice : vocabulary.index()->slices()) {
    std::size_t num_tokens = 0;
    std::uint32_t longest = 0;
    for (const auto& [token, bytes] : contents(vocabulary.index()->ordinary())) {
      const bool is_of_class = (classes_of(bytes) & bit_of(slice.text)) != 0;
      EXPECT_EQ(has_bit(slice.mask, token), is_of_class && bytes.size() <= slice.max_bytes) << bytes;
      if (!has_bit(slice.mask, token)) continue;
      ++num_tokens;
      longest = std::max(longest, static_cast<std::uint32_t>(bytes.size()));
    }
    EXPECT_EQ(slice.num_tokens, num_tokens);
    EXPECT_EQ(slice.max_bytes, longest);
    EXPECT_LE(slice.num_tokens, last) << "the largest comes first";
    last = slice.num_tokens;
    found.insert(slice.text);
  }
  EXPECT_EQ(found.size(), kNumTextClasses);
}

TEST(VocabularyIndex, a_slice_and_its_rest_are_all_ordinary_tokens) {
  const SmallVocabulary vocabulary;
  int num_rests = 0;
  for (const VocabularyIndex::Slice& slice : vocabulary.index()->slices()) {
    EXPECT_EQ(slice.rest.has_value(), slice.text == TextClass::safe);
    if (!slice.rest) continue;
    ++num_rests;
    const auto rest = contents(*slice.rest);
    for (const auto& [token, bytes] : contents(vocabulary.index()->ordinary())) {
      EXPECT_NE(has_bit(slice.mask, token), rest.contains(token)) << bytes;
    }
  }
  EXPECT_EQ(num_rests, 3);
}

TEST(VocabularyIndex, marks_say_what_all_tokens_below_a_node_are) {
  const SmallVocabulary vocabulary;
  const VocabularyIndex& index = *vocabulary.index();
  const auto nodes = index.ordinary().nodes();
  for (std::size_t node = 0; node < nodes.size(); ++node) {
    for (const VocabularyIndex::Slice& slice : index.slices()) {
      bool all_are = true;
      for (std::size_t i = node; i < node + nodes[node].num_nodes(); ++i) {
        const auto token = static_cast<TokenId>(nodes[i].token());
        all_are = all_are && (nodes[i].token() == TokenTrie::kNoToken || has_bit(slice.mask, token));
      }
      EXPECT_EQ(index.marks().all_are(node, slice.text, slice.max_bytes), all_are) << node;
    }
  }
}

TEST(TokenTrie, equal_bytes_are_twins_and_overlong_tokens_are_left_out) {
  const std::string overlong(300, 'x');
  const std::vector<TokenBytes> tokens{{"a", 3}, {"ab", 1}, {"ab", 7}, {"b", 2}, {overlong, 4}};
  const TokenTrie trie(tokens);
  EXPECT_EQ(contents(trie), (std::map<TokenId, std::string>{{1, "ab"}, {2, "b"}, {3, "a"}, {7, "ab"}}));
  EXPECT_TRUE(trie.has_longer("a"));
  EXPECT_TRUE(trie.has_longer(""));
  EXPECT_FALSE(trie.has_longer("ab"));
  EXPECT_FALSE(trie.has_longer("c"));
}

}  // namespace
}  // namespace parley::inference::grammar
