#pragma once
// The in-process chat model over a scripted engine, the toy tokenizer and the toy template.

#include <gtest/gtest.h>

#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include <boost/asio/thread_pool.hpp>

#include "orchestration/turn/local_chat_model.h"
#include "tests/fakes/scripted_engine.h"
#include "tests/orchestration/turn/io_driver.h"
#include "tests/orchestration/turn/toy_text.h"

namespace parley::orchestration::turn {

class LocalModelTest : public testing::Test {
 protected:
  LocalModelTest() : workers_(1) { open(false); }
  ~LocalModelTest() override {
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
  fakes::EngineScript script_;
  fakes::ScriptedEngine* engine_ = nullptr;
  std::shared_ptr<ChatModel> model_;
};

}  // namespace parley::orchestration::turn
