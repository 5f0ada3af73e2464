#include <gtest/gtest.h>

#include <string>
#include <utility>
#include <vector>

#include "app/api/answer_format.h"
#include "inference/json/json_writer.h"
#include "tests/app/api/scored_token.h"

namespace parley::app::api {
namespace {

orchestration::turn::ChatDelta completion_delta(const std::string& text,
                                                std::vector<orchestration::turn::ScoredToken> scores = {}) {
  orchestration::turn::ChatDelta delta;
  delta.text = text;
  delta.scores = std::move(scores);
  return delta;
}

AnswerEnd completion_ending(const std::string& reason) {
  AnswerEnd end;
  end.finish_reason = reason;
  return end;
}

TEST(CompletionFormatTest, AnnouncesUsageInEveryPieceWhenAsked) {
  const auto format = make_completion_format({.model = "m", .include_usage = true});
  EXPECT_TRUE(format->opening().empty());
  EXPECT_TRUE(format->pieces(completion_delta("a")).at(0).at("usage").is_null());
  EXPECT_EQ(format->usage({.prompt_tokens = 2, .cached_tokens = 1, .completion_tokens = 3})
                .at("usage")
                .at("total_tokens"),
            5);
}

TEST(CompletionFormatTest, CountsTextOffsetsInCharactersAcrossPieces) {
  const auto format = make_completion_format({.model = "m", .scored = true});
  format->pieces(completion_delta("\xC3\xBC", {scored_token("\xC3", -1), scored_token("\xBC", -1)}));
  const auto piece = format->pieces(completion_delta("x", {scored_token("x", -0.5f)})).at(0);
  EXPECT_EQ(inference::json::to_json_text(piece.at("choices").at(0).at("logprobs")),
            R"({"tokens":["x"],"token_logprobs":[-0.5],"top_logprobs":[{"x":-0.5}],"text_offset":[1]})");
}

TEST(CompletionFormatTest, WritesAWholeAnswer) {
  const auto object =
      make_completion_format({.model = "m"})->whole(completion_delta("Hi"), completion_ending("stop"), {});
  EXPECT_EQ(object.at("object"), "text_completion");
  EXPECT_EQ(inference::json::to_json_text(object.at("choices")),
            R"([{"text":"Hi","index":0,"logprobs":null,"finish_reason":"stop"}])");
  EXPECT_TRUE(object.contains("usage"));
}

TEST(CompletionFormatTest, EndsAStreamWithTheReason) {
  const auto last = make_completion_format({.model = "m"})->closing(completion_ending("length")).at(0);
  EXPECT_EQ(inference::json::to_json_text(last.at("choices")),
            R"([{"text":"","index":0,"logprobs":null,"finish_reason":"length"}])");
  EXPECT_FALSE(last.contains("usage"));
}

}  // namespace
}  // namespace parley::app::api
