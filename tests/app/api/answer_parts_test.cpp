#include "app/api/answer_parts.h"

#include <gtest/gtest.h>

#include "inference/json/json_writer.h"
#include "tests/app/api/scored_token.h"

namespace parley::app::api {
namespace {

using orchestration::turn::ScoredToken;

TEST(AnswerPartsTest, HeadsOfOneAnswerAreAlikeAndOfTwoDiffer) {
  const AnswerHead head("cmpl-", {.model = "m"});
  const auto first = head.begin("text_completion");
  EXPECT_TRUE(first.at("id").as_string().starts_with("cmpl-"));
  EXPECT_EQ(first.at("object"), "text_completion");
  EXPECT_EQ(first.at("model"), "m");
  EXPECT_GT(first.at("created").as_int64(), 1'700'000'000);
  EXPECT_EQ(head.begin("text_completion"), first);
  EXPECT_NE(AnswerHead("cmpl-", {}).begin("text_completion").at("id"), first.at("id"));
}

TEST(AnswerPartsTest, UsageIsSummedUp) {
  EXPECT_EQ(
      inference::json::to_json_text(
          usage_object({.prompt_tokens = 9, .cached_tokens = 4, .completion_tokens = 3})),
      R"({"prompt_tokens":9,"completion_tokens":3,"total_tokens":12,"prompt_tokens_details":{"cached_tokens":4}})");
}

TEST(AnswerPartsTest, KeepsPartialCharactersApart) {
  std::size_t offset = 0;
  ScoredToken score = scored_token("\xE4\xB8", -1);
  score.top.emplace_back("\xE4\xB9", -2.0f);
  EXPECT_EQ(
      inference::json::to_json_text(completion_logprobs({score}, offset)),
      R"({"tokens":["bytes:\\xe4\\xb8"],"token_logprobs":[-1],"top_logprobs":[{"bytes:\\xe4\\xb8":-1,"bytes:\\xe4\\xb9":-2}],"text_offset":[0]})");
  EXPECT_EQ(inference::json::to_json_text(chat_logprobs({scored_token("\xE4", -1)})),
            "{\"content\":[{\"token\":\"\xEF\xBF\xBD\",\"logprob\":-1,\"bytes\":[228],\"top_logprobs\":"
            "[{\"token\":\"\xEF\xBF\xBD\",\"logprob\":-1,\"bytes\":[228]}]}]}");
}

TEST(AnswerPartsTest, OffsetsCountCharactersThatBeginInAToken) {
  std::size_t offset = 0;
  const auto object = completion_logprobs(
      {scored_token("a", 0), scored_token("\xC3", 0), scored_token("\xBC", 0), scored_token("z", 0)}, offset);
  EXPECT_EQ(inference::json::to_json_text(object.at("text_offset")), "[0,1,2,2]");
  EXPECT_EQ(offset, 3u);
}

}  // namespace
}  // namespace parley::app::api
