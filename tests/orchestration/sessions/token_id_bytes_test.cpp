#include "orchestration/sessions/token_id_bytes.h"

#include <gtest/gtest.h>

#include <random>

namespace parley::orchestration::sessions {
namespace {

using TokenIds = std::vector<std::int32_t>;

TEST(TokenIdBytes, ComeBackAsTheyWere) {
  const TokenIds edges = {0, 1, 127, 128, 16'383, 16'384, 2'097'151, 2'097'152, INT32_MAX, -1, INT32_MIN};
  TokenIds ids;
  EXPECT_TRUE(decode_token_ids(encode_token_ids(edges), ids));
  EXPECT_EQ(ids, edges);

  std::mt19937 random(1);
  TokenIds many(10'000);
  for (auto& id : many) id = static_cast<std::int32_t>(random() >> (random() % 32));
  ids.clear();
  EXPECT_TRUE(decode_token_ids(encode_token_ids(many), ids));
  EXPECT_EQ(ids, many);
}

TEST(TokenIdBytes, AreCompactAndCanBeJoined) {
  EXPECT_EQ(encode_token_ids(TokenIds{5}).size(), 1u);
  EXPECT_EQ(encode_token_ids(TokenIds{151'643}).size(), 3u);
  TokenIds ids;
  EXPECT_TRUE(decode_token_ids(
      encode_token_ids(TokenIds{1, 300}) + encode_token_ids(TokenIds{}) + encode_token_ids(TokenIds{9}),
      ids));
  EXPECT_EQ(ids, (TokenIds{1, 300, 9}));
}

TEST(TokenIdBytes, BrokenBytesAreRefused) {
  TokenIds ids;
  EXPECT_FALSE(decode_token_ids("\x80", ids));                      // ends inside an id
  EXPECT_FALSE(decode_token_ids("\xff\xff\xff\xff\x1f", ids));      // above 32 bits
  EXPECT_FALSE(decode_token_ids("\x80\x80\x80\x80\x80\x01", ids));  // too long
  EXPECT_TRUE(decode_token_ids("", ids));
  EXPECT_TRUE(ids.empty());
}

}  // namespace
}  // namespace parley::orchestration::sessions
