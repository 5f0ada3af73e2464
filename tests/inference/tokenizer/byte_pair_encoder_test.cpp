#include "inference/tokenizer/byte_pair_encoder.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <map>
#include <random>
#include <string>
#include <vector>

namespace parley::inference::tokenizer {
namespace {

struct MergeVocabulary {
  std::array<TokenId, 256> byte_tokens;
  MergeTable merges;
};

// The definition: look at all pairs, join the best, begin again.
std::vector<TokenId> encode_slowly(const MergeVocabulary& vocabulary, std::string_view piece) {
  std::vector<TokenId> tokens;
  for (const char byte : piece) {
    const TokenId token = vocabulary.byte_tokens[static_cast<unsigned char>(byte)];
    if (token != kNoToken) tokens.push_back(token);
  }
  while (true) {
    MergeTable::Rank best = MergeTable::kNoRank;
    std::size_t at = 0;
    for (std::size_t index = 0; index + 1 < tokens.size(); ++index) {
      const auto rank = vocabulary.merges.find(tokens[index], tokens[index + 1]);
      if (rank < best) {
        best = rank;
        at = index;
      }
    }
    if (best == MergeTable::kNoRank) return tokens;
    tokens[at] = vocabulary.merges.result(best);
    tokens.erase(tokens.begin() + static_cast<std::ptrdiff_t>(at) + 1);
  }
}

std::vector<TokenId> encode(const MergeVocabulary& vocabulary, std::string_view piece,
                            BytePairEncoder::Scratch& scratch) {
  std::vector<TokenId> tokens;
  BytePairEncoder(vocabulary.byte_tokens, vocabulary.merges).encode(piece, scratch, tokens);
  return tokens;
}

// Tokens of the bytes a to d (but not e), and merges of random pairs: some useless, many in an order that no
// training would give, so that a join can call for one of lower rank.
MergeVocabulary random_vocabulary(std::mt19937& random, std::size_t num_merges) {
  MergeVocabulary vocabulary{{}, MergeTable(num_merges)};
  vocabulary.byte_tokens.fill(kNoToken);
  std::map<std::string, TokenId> ids;
  std::vector<std::string> texts = {"a", "b", "c", "d"};
  for (std::size_t id = 0; id < texts.size(); ++id) {
    ids[texts[id]] = vocabulary.byte_tokens[static_cast<unsigned char>(texts[id][0])] =
        static_cast<TokenId>(id);
  }
  std::vector<std::pair<std::string, std::string>> pairs;
  for (std::size_t count = 0; count < num_merges; ++count) {
    pairs.emplace_back(texts[random() % texts.size()], texts[random() % texts.size()]);
    const std::string joined = pairs.back().first + pairs.back().second;
    if (ids.emplace(joined, static_cast<TokenId>(texts.size())).second) texts.push_back(joined);
  }
  std::shuffle(pairs.begin(), pairs.end(), random);
  for (const auto& [left, right] : pairs) vocabulary.merges.add(ids[left], ids[right], ids[left + right]);
  return vocabulary;
}

std::string random_piece(std::mt19937& random, std::size_t length) {
  std::string piece;
  const std::size_t num_letters = 1 + random() % 5;
  while (piece.size() < length) piece += static_cast<char>('a' + random() % num_letters);
  return piece;
}

// Each power of two of one byte is a token.
MergeVocabulary doubling_vocabulary() {
  constexpr int kNumDoublings = 12;
  MergeVocabulary vocabulary{{}, MergeTable(kNumDoublings)};
  vocabulary.byte_tokens.fill(0);
  for (TokenId id = 0; id < kNumDoublings; ++id) vocabulary.merges.add(id, id, id + 1);
  return vocabulary;
}

TEST(BytePairEncoder, of_nothing_is_nothing) {
  BytePairEncoder::Scratch scratch;
  EXPECT_TRUE(encode(doubling_vocabulary(), "", scratch).empty());
}

TEST(BytePairEncoder, joins_the_leftmost_of_equal_pairs_first) {
  BytePairEncoder::Scratch scratch;
  EXPECT_EQ(encode(doubling_vocabulary(), "aaaaaaa", scratch), (std::vector<TokenId>{2, 1, 0}));
}

TEST(BytePairEncoder, leaves_out_bytes_without_a_token_so_that_neighbours_join) {
  MergeVocabulary vocabulary = doubling_vocabulary();
  vocabulary.byte_tokens['-'] = kNoToken;
  BytePairEncoder::Scratch scratch;
  EXPECT_EQ(encode(vocabulary, "-a--a-", scratch), (std::vector<TokenId>{1}));
  EXPECT_TRUE(encode(vocabulary, "---", scratch).empty());
  const std::string many(100, '-');
  EXPECT_TRUE(encode(vocabulary, many, scratch).empty());
  EXPECT_EQ(encode(vocabulary, many + "a" + many + "a" + many, scratch), (std::vector<TokenId>{1}));
}

TEST(BytePairEncoder, agrees_with_the_definition_on_random_vocabularies) {
  std::mt19937 random(3);
  BytePairEncoder::Scratch scratch;
  for (int round = 0; round < 300; ++round) {
    const MergeVocabulary vocabulary = random_vocabulary(random, 1 + random() % 60);
    for (int count = 0; count < 20; ++count) {
      const std::string piece = random_piece(random, random() % (count < 15 ? 30 : 200));
      ASSERT_EQ(encode(vocabulary, piece, scratch), encode_slowly(vocabulary, piece)) << piece;
    }
  }
}

TEST(BytePairEncoder, takes_n_log_n_steps_at_most) {
  std::mt19937 random(5);
  std::vector<MergeVocabulary> vocabularies = {doubling_vocabulary()};
  for (int count = 0; count < 10; ++count) vocabularies.push_back(random_vocabulary(random, 100));
  for (const MergeVocabulary& vocabulary : vocabularies) {
    for (const std::size_t length : {10u, 24u, 25u, 1000u, 100'000u}) {
      for (const std::string& piece : {std::string(length, 'a'), random_piece(random, length)}) {
        BytePairEncoder::Scratch scratch;
        encode(vocabulary, piece, scratch);
        // A join calls for two look-ups and two entries of the queue. Short pieces are searched whole, at 24
        // steps a byte and less. Steps of the queue cost its logarithm.
        EXPECT_LE(scratch.num_steps, 24 * length);
      }
    }
  }
}

}  // namespace
}  // namespace parley::inference::tokenizer
