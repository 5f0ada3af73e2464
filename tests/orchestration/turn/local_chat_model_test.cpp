#include "orchestration/turn/local_chat_model.h"

#include <gtest/gtest.h>

#include <limits>

#include <boost/asio/thread_pool.hpp>

#include "tests/fakes/scripted_engine.h"
#include "tests/orchestration/turn/io_driver.h"
#include "tests/orchestration/turn/toy_text.h"

namespace parley::orchestration::turn {
namespace {

using fakes::EngineScript;
using inference::engine::Rejection;
using inference::engine::StopReason;

class LocalChatModelTest : public testing::Test {
 protected:
  LocalChatModelTest() : workers_(1) { open(false); }
  ~LocalChatModelTest() override {
    model_.reset();
    workers_.join();
  }

  void open(bool add_bos) {
    LocalModelParts parts;
    parts.info.name = "toy";
    parts.info.max_context = 100;
    parts.tokenizer = std::make_unique<ToyTokenizer>(add_bos);
    parts.prompts = std::make_unique<ToyPromptBuilder>();
    auto engine = std::make_unique<fakes::ScriptedEngine>([this](const auto&) { return script_; });
    engine_ = engine.get();
    parts.engine = std::move(engine);
    model_ = make_local_chat_model(std::move(parts), io_.executor(), workers_);
  }

  void generate(const std::string& text) {
    script_.tokens = fakes::scripted_tokens(ToyTokenizer().encode(text));
  }

  ChatRequest request(const std::string& text = "hi") {
    ChatRequest result;
    result.messages.emplace_back();
    result.messages.back().text = text;
    return result;
  }

  std::unique_ptr<ChatStream> start(ChatRequest chat) {
    auto started = io_.run(model_->start_chat(std::move(chat)));
    return std::move(std::get<std::unique_ptr<ChatStream>>(started));
  }
  std::unique_ptr<ChatStream> complete(CompletionRequest completion) {
    auto started = io_.run(model_->start_completion(std::move(completion)));
    return std::move(std::get<std::unique_ptr<ChatStream>>(started));
  }
  ChatRejection refused(ChatRequest chat) {
    return std::get<ChatRejection>(io_.run(model_->start_chat(std::move(chat))));
  }

  struct Whole {
    std::string text;
    std::vector<std::int32_t> ids;
    std::vector<ScoredToken> scores;
    ChatFinished finished;
  };
  Whole read(ChatStream& stream) {
    Whole whole;
    for (;;) {
      ChatEvent event = io_.run(stream.next());
      if (auto* finished = std::get_if<ChatFinished>(&event)) {
        whole.text += finished->text;
        whole.finished = *finished;
        return whole;
      }
      const auto& delta = std::get<ChatDelta>(event);
      EXPECT_FALSE(delta.token_ids.empty());
      whole.text += delta.text;
      whole.ids.insert(whole.ids.end(), delta.token_ids.begin(), delta.token_ids.end());
      whole.scores.insert(whole.scores.end(), delta.scores.begin(), delta.scores.end());
    }
  }
  Whole read(ChatRequest chat) {
    auto stream = start(std::move(chat));
    return read(*stream);
  }

  IoDriver io_;
  boost::asio::thread_pool workers_;
  EngineScript script_;
  fakes::ScriptedEngine* engine_ = nullptr;
  std::shared_ptr<ChatModel> model_;
};

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
  EXPECT_GE(whole.finished.timings.first_token_ms, 10);  // the script's figures
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

TEST_F(LocalChatModelTest, AStopStringEndsTheAnswerAndLaterTokensDoNotCount) {
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

TEST_F(LocalChatModelTest, AnAlmostStopStringComesOutAtTheEnd) {
  generate("one EN");
  ChatRequest chat = request();
  chat.options.stop = {"END"};
  const Whole whole = read(chat);
  EXPECT_EQ(whole.text, "one EN");
}

TEST_F(LocalChatModelTest, CharactersAreNeverCut) {
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

TEST_F(LocalChatModelTest, SpecialTokensAreNoText) {
  script_.tokens = fakes::scripted_tokens({'a', kToySpecial, 'b'});
  const Whole whole = read(request());
  EXPECT_EQ(whole.text, "ab");
  EXPECT_EQ(whole.ids.size(), 3u);
}

TEST_F(LocalChatModelTest, ReasonsAreNamed) {
  script_.reason = StopReason::max_tokens;
  EXPECT_EQ(read(request()).finished.stop_reason, "length");
  script_.reason = StopReason::context_end;
  EXPECT_EQ(read(request()).finished.stop_reason, "length");
  script_.reason = StopReason::failed;
  script_.error = "The device is gone.";
  EXPECT_EQ(read(request()).finished.error, "The device is gone.");
}

TEST_F(LocalChatModelTest, CancellingEndsWithStopped) {
  generate("abc");
  script_.until_cancelled = true;
  auto stream = start(request());
  stream->cancel();
  const Whole whole = read(*stream);
  EXPECT_EQ(whole.finished.stop_reason, "stopped");
  EXPECT_EQ("abc", whole.text + std::string("abc").substr(whole.text.size()));
}

TEST_F(LocalChatModelTest, DroppingTheStreamCancelsTheRequest) {
  generate("abc");
  script_.until_cancelled = true;
  auto stream = start(request());
  stream.reset();
  engine_->wait_until_idle();
  EXPECT_EQ(engine_->num_cancelled(), 1u);
}

TEST_F(LocalChatModelTest, AFinishedStreamCancelsNothing) {
  generate("abc");
  read(request());
  EXPECT_EQ(engine_->num_cancelled(), 0u);
}

TEST_F(LocalChatModelTest, AStreamOutlivesTheModel) {
  generate(std::string(90, 'x'));
  auto stream = start(request());
  model_.reset();
  EXPECT_EQ(read(*stream).text.size(), 90u);
}

TEST_F(LocalChatModelTest, LogprobsComeWithBytes) {
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

TEST_F(LocalChatModelTest, TheEnginesRejectionsAreSentences) {
  script_.rejection = Rejection{Rejection::Kind::queue_full, 256, 257};
  EXPECT_EQ(refused(request()).kind, ChatRejection::Kind::queue_full);
  EXPECT_NE(refused(request()).message.find("256"), std::string::npos);
  script_.rejection = Rejection{Rejection::Kind::shutting_down, 0, 0};
  EXPECT_EQ(refused(request()).kind, ChatRejection::Kind::shutting_down);
  script_.rejection->failure =
      "The model stopped working: out of memory. Restart the server to load it again.";
  EXPECT_EQ(refused(request()).kind, ChatRejection::Kind::model_failed);
  EXPECT_EQ(refused(request()).message, script_.rejection->failure);
  script_.rejection = Rejection{Rejection::Kind::prompt_too_long, 10, 20};
  EXPECT_EQ(refused(request()).actual, 20);
  script_.rejection = Rejection{Rejection::Kind::token_out_of_range, 259, 1000};
  EXPECT_EQ(refused(request()).kind, ChatRejection::Kind::invalid_prompt);
  EXPECT_NE(refused(request()).message.find("1000"), std::string::npos);
  script_.rejection = Rejection{Rejection::Kind::empty_prompt, 0, 0};
  EXPECT_EQ(refused(request()).kind, ChatRejection::Kind::invalid_prompt);
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
