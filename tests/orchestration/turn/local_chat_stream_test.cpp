#include "orchestration/turn/local_chat_stream.h"

#include <gtest/gtest.h>

#include <string>

#include "tests/orchestration/turn/local_model_fixture.h"

namespace parley::orchestration::turn {
namespace {

using LocalChatStreamTest = LocalModelTest;
using inference::engine::StopReason;

TEST_F(LocalChatStreamTest, AStopStringEndsTheAnswerAndLaterTokensDoNotCount) {
  generate("one END two three");
  script_.until_cancelled = true;
  ChatRequest chat = request();
  chat.options.stop = {"END"};
  const Whole whole = read(chat);
  EXPECT_EQ(whole.text, "one ");
  EXPECT_EQ(whole.ids.size(), 7u);
  EXPECT_EQ(whole.finished.usage.completion_tokens, 7);
  EXPECT_EQ(whole.finished.stop_reason, "stop");
  EXPECT_EQ(engine_->num_cancelled(), 1u);
}

TEST_F(LocalChatStreamTest, AnAlmostStopStringComesOutAtTheEnd) {
  generate("one EN");
  ChatRequest chat = request();
  chat.options.stop = {"END"};
  const Whole whole = read(chat);
  EXPECT_EQ(whole.text, "one EN");
}

TEST_F(LocalChatStreamTest, CharactersAreNeverCut) {
  generate("\xF0\x9F\x98\x80\xC3");
  auto stream = start(request());
  std::string text;
  for (;;) {
    ChatEvent event = io_.run(stream->next());
    if (const auto* finished = std::get_if<ChatFinished>(&event)) {
      EXPECT_EQ(finished->text, "\xEF\xBF\xBD");
      break;
    }
    text += std::get<ChatDelta>(event).text;
    EXPECT_TRUE(text.empty() || text == "\xF0\x9F\x98\x80");
  }
}

TEST_F(LocalChatStreamTest, SpecialTokensAreNoText) {
  script_.tokens = fakes::scripted_tokens({'a', kToySpecial, 'b'});
  const Whole whole = read(request());
  EXPECT_EQ(whole.text, "ab");
  EXPECT_EQ(whole.ids.size(), 3u);
}

TEST_F(LocalChatStreamTest, ReasonsAreNamed) {
  script_.reason = StopReason::max_tokens;
  EXPECT_EQ(read(request()).finished.stop_reason, "length");
  script_.reason = StopReason::context_end;
  EXPECT_EQ(read(request()).finished.stop_reason, "length");
  script_.reason = StopReason::failed;
  script_.error = "The device is gone.";
  EXPECT_EQ(read(request()).finished.error, "The device is gone.");
}

TEST_F(LocalChatStreamTest, CancellingEndsWithStopped) {
  generate("abc");
  script_.until_cancelled = true;
  auto stream = start(request());
  stream->cancel();
  const Whole whole = read(*stream);
  EXPECT_EQ(whole.finished.stop_reason, "stopped");
  EXPECT_EQ("abc", whole.text + std::string("abc").substr(whole.text.size()));
}

TEST_F(LocalChatStreamTest, DroppingTheStreamCancelsTheRequest) {
  generate("abc");
  script_.until_cancelled = true;
  auto stream = start(request());
  stream.reset();
  engine_->wait_until_idle();
  EXPECT_EQ(engine_->num_cancelled(), 1u);
}

TEST_F(LocalChatStreamTest, AFinishedStreamCancelsNothing) {
  generate("abc");
  read(request());
  EXPECT_EQ(engine_->num_cancelled(), 0u);
}

TEST_F(LocalChatStreamTest, LogprobsComeWithBytes) {
  generate("a\xC3\xA4");
  script_.tokens[0].logprob = -0.5f;
  script_.tokens[0].top = {{'a', -0.5f}, {'b', -1.5f}};
  ChatRequest chat = request();
  chat.options.num_logprobs = 2;
  const Whole whole = read(chat);
  ASSERT_EQ(whole.scores.size(), 3u);
  EXPECT_EQ(whole.scores[0].bytes, "a");
  EXPECT_EQ(whole.scores[0].logprob, -0.5f);
  ASSERT_EQ(whole.scores[0].top.size(), 2u);
  EXPECT_EQ(whole.scores[0].top[1].first, "b");
  EXPECT_EQ(whole.scores[1].bytes, "\xC3");
  EXPECT_EQ(engine_->request(0).num_logprobs, 2);
}

TEST_F(LocalChatStreamTest, ATurnThatFailedAfterItsStopStringIsComplete) {
  generate("one END");
  script_.reason = StopReason::failed;
  script_.error = "The device is gone.";
  ChatRequest chat = request();
  chat.options.stop = {"END"};
  const Whole whole = read(chat);
  EXPECT_EQ(whole.finished.stop_reason, "stop");
  EXPECT_EQ(whole.finished.error, "");
}

}  // namespace
}  // namespace parley::orchestration::turn
