#include "orchestration/turn/local_chat_model.h"

#include <gtest/gtest.h>

#include "tests/orchestration/turn/local_model_fixture.h"

namespace parley::orchestration::turn {
namespace {

using LocalChatModelTest = LocalModelTest;
using inference::engine::StopReason;

TEST_F(LocalChatModelTest, AnswersWithTextIdsUsageAndTimings) {
  generate("hello");
  script_.cached_tokens = 2;
  const Whole whole = read(request());
  EXPECT_EQ(whole.text, "hello");
  EXPECT_EQ(whole.ids.size(), 5u);
  EXPECT_TRUE(whole.scores.empty());
  EXPECT_EQ(whole.finished.stop_reason, "stop");
  EXPECT_EQ(whole.finished.error, "");
  EXPECT_EQ(whole.finished.usage.prompt_tokens, 5);
  EXPECT_EQ(whole.finished.usage.cached_tokens, 2);
  EXPECT_EQ(whole.finished.usage.completion_tokens, 5);
  EXPECT_EQ(whole.finished.queued, std::chrono::milliseconds(4));  // the script's figures
  EXPECT_GE(whole.finished.timings.first_token_ms, 10);
  EXPECT_GE(whole.finished.timings.total_ms, 510);
  EXPECT_NEAR(whole.finished.timings.tokens_per_second, 4 / 0.5, 1e-9);
  EXPECT_EQ(toy_text(engine_->request(0).prompt), "u:hi;");
  EXPECT_EQ(engine_->request(0).stop_ids, std::vector<std::int32_t>{kToyStop});
}

TEST_F(LocalChatModelTest, SamplingReachesTheEngineAndSeedsDiffer) {
  ChatRequest chat = request();
  chat.options.sampling.temperature = 0.5f;
  chat.options.sampling.top_k = 7;
  chat.options.sampling.top_p = 0.25f;
  chat.options.sampling.min_p = 0.125f;
  chat.options.sampling.repeat_penalty = 1.5f;
  chat.options.sampling.seed = 42;
  chat.options.max_tokens = 3;
  read(chat);
  const auto sent = engine_->request(0);
  EXPECT_EQ(sent.sampling.temperature, 0.5f);
  EXPECT_EQ(sent.sampling.top_k, 7);
  EXPECT_EQ(sent.sampling.top_p, 0.25f);
  EXPECT_EQ(sent.sampling.min_p, 0.125f);
  EXPECT_EQ(sent.sampling.repeat_penalty, 1.5f);
  EXPECT_EQ(sent.sampling.seed, 42u);
  EXPECT_EQ(sent.max_tokens, 3);
  EXPECT_EQ(sent.num_logprobs, -1);
  read(request());
  read(request());
  EXPECT_NE(engine_->request(1).sampling.seed, engine_->request(2).sampling.seed);
}

TEST_F(LocalChatModelTest, AnAnswerCutInsideACharacterGoesOnAsIfItHadNotBeenCut) {
  const std::string uncut = "a\xF0\x9F\x98\x80!";
  for (const StopReason reason : {StopReason::max_tokens, StopReason::context_end, StopReason::cancelled}) {
    for (std::size_t cut = 1; cut < uncut.size(); ++cut) {
      generate(uncut.substr(0, cut));
      script_.reason = reason;
      const Whole first = read(request());
      EXPECT_EQ(first.text, cut < 5 ? "a" : uncut.substr(0, cut));
      EXPECT_EQ(first.ids.size(), cut);

      ChatRequest chat = request();
      chat.messages.emplace_back();
      chat.messages.back().role = prompt::Role::assistant;
      chat.messages.back().text = first.text;
      chat.messages.back().token_ids = first.ids;
      chat.continue_last = true;
      generate(uncut.substr(first.text.size()));
      script_.reason = StopReason::stop_token;
      auto stream = start(chat);
      EXPECT_EQ(stream->continued_ids(), ToyTokenizer().encode(first.text));
      EXPECT_EQ(first.text + read(*stream).text, uncut);
    }
  }
  EXPECT_EQ(start(request())->continued_ids(), std::nullopt);
}

TEST_F(LocalChatModelTest, AStreamOutlivesTheModel) {
  generate(std::string(90, 'x'));
  auto stream = start(request());
  model_.reset();
  EXPECT_EQ(read(*stream).text.size(), 90u);
}

TEST_F(LocalChatModelTest, ATooLongPromptIsRefusedWithBothNumbers) {
  const ChatRejection rejection = refused(request(std::string(97, 'x')));
  EXPECT_EQ(rejection.kind, ChatRejection::Kind::prompt_too_long);
  EXPECT_EQ(rejection.limit, 99);
  EXPECT_EQ(rejection.actual, 100);
  EXPECT_NE(rejection.message.find("100 tokens"), std::string::npos) << rejection.message;
  EXPECT_NE(rejection.message.find("at most 99"), std::string::npos) << rejection.message;
  start(request(std::string(96, 'x')));
}

TEST_F(LocalChatModelTest, TheEnginesSmallerContextCounts) {
  engine_->max_context = 50;
  EXPECT_EQ(refused(request(std::string(97, 'x'))).limit, 49);
}

TEST_F(LocalChatModelTest, ATemplateThatRefusesIsQuoted) {
  const ChatRejection rejection = refused(request("refuse"));
  EXPECT_EQ(rejection.kind, ChatRejection::Kind::invalid_prompt);
  EXPECT_NE(rejection.message.find("I will not have it"), std::string::npos);
}

TEST_F(LocalChatModelTest, CompletionsTakeTextOrIds) {
  generate("x");
  CompletionRequest text;
  text.prompt = std::string("raw");
  complete(text);
  EXPECT_EQ(toy_text(engine_->request(0).prompt), "raw");
  CompletionRequest ids;
  ids.prompt = std::vector<std::int32_t>{'i', 'd', kToyStop};
  complete(ids);
  EXPECT_EQ(engine_->request(1).prompt.size(), 3u);
  open(true);
  complete(text);
  EXPECT_EQ(engine_->request(0).prompt.at(0), kToyBos);
  EXPECT_EQ(engine_->request(0).prompt.size(), 4u);
}

TEST_F(LocalChatModelTest, HundredStreamsAtOnce) {
  generate("some text to read");
  std::vector<std::unique_ptr<ChatStream>> streams;
  for (int i = 0; i < 100; ++i) streams.push_back(start(request()));
  for (auto& stream : streams) EXPECT_EQ(read(*stream).text, "some text to read");
}

}  // namespace
}  // namespace parley::orchestration::turn
