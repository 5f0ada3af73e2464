#include <gtest/gtest.h>

#include "app/api/answer_format.h"
#include "inference/json/json_writer.h"
#include "tests/app/api/scored_token.h"

namespace parley::app::api {
namespace {

TEST(ChatFormatTest, PiecesOfAnAnswerShareTheirHead) {
  const auto format = make_chat_format({.model = "m"});
  const auto first = *format->opening();
  const auto last = format->closing("stop");
  EXPECT_EQ(first.at("id"), last.at("id"));
  EXPECT_EQ(first.at("created"), last.at("created"));
  EXPECT_EQ(first.at("model"), "m");
  EXPECT_FALSE(first.contains("usage"));
  EXPECT_NE(make_chat_format({})->opening()->at("id"), first.at("id"));
}

TEST(ChatFormatTest, WritesAWholeAnswer) {
  WholeAnswer answer;
  answer.text = "Hi";
  answer.scores.push_back(scored_token("Hi", -0.5f));
  answer.finish_reason = "length";
  auto object = make_chat_format({.model = "m", .scored = true})->whole(answer);
  EXPECT_EQ(object.at("object"), "chat.completion");
  EXPECT_EQ(
      inference::json::to_json_text(object.at("choices")),
      R"([{"index":0,"message":{"role":"assistant","content":"Hi","refusal":null},"logprobs":{"content":[)"
      R"({"token":"Hi","logprob":-0.5,"bytes":[72,105],"top_logprobs":[{"token":"Hi","logprob":-0.5,"bytes":[72,105]}]}]},)"
      R"("finish_reason":"length"}])");
  EXPECT_TRUE(object.contains("usage"));
}

TEST(ChatFormatTest, WritesThePiecesOfAStream) {
  const auto format = make_chat_format({.model = "m", .include_usage = true});
  const auto choices = [](const inference::json::JsonObject& piece) {
    return inference::json::to_json_text(piece.at("choices"));
  };
  EXPECT_EQ(
      choices(*format->opening()),
      R"([{"index":0,"delta":{"role":"assistant","content":""},"logprobs":null,"finish_reason":null}])");
  const auto piece = format->piece("Hi", {});
  EXPECT_EQ(piece.at("object"), "chat.completion.chunk");
  EXPECT_TRUE(piece.at("usage").is_null());
  EXPECT_EQ(choices(piece), R"([{"index":0,"delta":{"content":"Hi"},"logprobs":null,"finish_reason":null}])");
  EXPECT_EQ(choices(format->closing("stop")),
            R"([{"index":0,"delta":{},"logprobs":null,"finish_reason":"stop"}])");
  const auto usage = format->usage({.prompt_tokens = 2, .cached_tokens = 0, .completion_tokens = 3});
  EXPECT_EQ(choices(usage), "[]");
  EXPECT_EQ(usage.at("usage").at("total_tokens"), 5);
}

}  // namespace
}  // namespace parley::app::api
