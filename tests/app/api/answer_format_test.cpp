#include "app/api/answer_format.h"

#include <gtest/gtest.h>

#include <string>

#include "app/api/answer_parts.h"
#include "app/protocol/json_writer.h"

namespace parley::app::api {
namespace {

using orchestration::turn::ScoredToken;

ScoredToken token(const std::string& bytes, float logprob) {
  ScoredToken score;
  score.bytes = bytes;
  score.logprob = logprob;
  score.top.emplace_back(bytes, logprob);
  return score;
}

TEST(AnswerFormatTest, PiecesOfAnAnswerShareTheirHead) {
  const auto format = make_chat_format({.model = "m"});
  const auto first = *format->opening();
  const auto last = format->closing("stop");
  EXPECT_EQ(first.at("id"), last.at("id"));
  EXPECT_EQ(first.at("created"), last.at("created"));
  EXPECT_EQ(first.at("model"), "m");
  EXPECT_FALSE(first.contains("usage"));
  EXPECT_NE(make_chat_format({})->opening()->at("id"), first.at("id"));
}

TEST(AnswerFormatTest, AnnouncesUsageInEveryPieceWhenAsked) {
  const auto format = make_completion_format({.model = "m", .include_usage = true});
  EXPECT_FALSE(format->opening());
  EXPECT_TRUE(format->piece("a", {}).at("usage").is_null());
  EXPECT_EQ(format->usage({.prompt_tokens = 2, .cached_tokens = 1, .completion_tokens = 3})
                .at("usage")
                .at("total_tokens"),
            5);
}

TEST(AnswerFormatTest, CountsTextOffsetsInCharactersAcrossPieces) {
  const auto format = make_completion_format({.model = "m", .scored = true});
  format->piece("\xC3\xBC", {token("\xC3", -1), token("\xBC", -1)});
  const auto piece = format->piece("x", {token("x", -0.5f)});
  EXPECT_EQ(protocol::to_json_text(piece.at("choices").at(0).at("logprobs")),
            R"({"tokens":["x"],"token_logprobs":[-0.5],"top_logprobs":[{"x":-0.5}],"text_offset":[1]})");
}

TEST(AnswerFormatTest, KeepsPartialCharactersApart) {
  std::size_t offset = 0;
  ScoredToken score = token("\xE4\xB8", -1);
  score.top.emplace_back("\xE4\xB9", -2.0f);
  EXPECT_EQ(
      protocol::to_json_text(completion_logprobs({score}, offset)),
      R"({"tokens":["bytes:\\xe4\\xb8"],"token_logprobs":[-1],"top_logprobs":[{"bytes:\\xe4\\xb8":-1,"bytes:\\xe4\\xb9":-2}],"text_offset":[0]})");
  EXPECT_EQ(protocol::to_json_text(chat_logprobs({token("\xE4", -1)})),
            "{\"content\":[{\"token\":\"\xEF\xBF\xBD\",\"logprob\":-1,\"bytes\":[228],\"top_logprobs\":"
            "[{\"token\":\"\xEF\xBF\xBD\",\"logprob\":-1,\"bytes\":[228]}]}]}");
}

}  // namespace
}  // namespace parley::app::api
