#pragma once
// The in-process chat model over a scripted engine, the toy tokenizer and the toy template.

#include <gtest/gtest.h>

#include <cstdint>
#include <deque>
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
#include "tests/orchestration/turn/toy_tool.h"

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
    parts.info.max_context = max_context_;
    parts.info.tool_profile = profile_;
    parts.reading = reading_;
    parts.tokenizer = std::make_unique<ToyTokenizer>(add_bos);
    auto prompts = std::make_unique<ToyPromptBuilder>();
    prompts->reasoning_start = reasoning_start_;
    parts.prompts = std::move(prompts);
    auto engine = std::make_unique<fakes::ScriptedEngine>([this](const auto&) { return next_script(); });
    engine_ = engine.get();
    parts.engine = std::move(engine);
    model_ = make_local_chat_model(std::move(parts), io_.executor(), workers_);
  }

  void generate(const std::string& text) {
    script_.tokens = fakes::scripted_tokens(ToyTokenizer().encode(text));
  }
  // For the next run that has no script yet; behind those, what generate() says.
  void then(const std::string& text) {
    scripts_.emplace_back();
    scripts_.back().tokens = fakes::scripted_tokens(ToyTokenizer().encode(text));
  }
  fakes::EngineScript next_script() {
    if (scripts_.empty()) return script_;
    fakes::EngineScript script = std::move(scripts_.front());
    scripts_.pop_front();
    return script;
  }

  // A model with tools.
  void open_with(ToolProfile profile, const char* format = "hermes") {
    profile_ = profile;
    reading_.format = calls::find_call_format(format);
    max_context_ = 4000;
    open(false);
  }
  ChatRequest request_with_tools(const std::string& text = "hi") {
    ChatRequest result = request(text);
    result.tools.tools = toy_tools();
    return result;
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
    std::string reasoning;
    std::vector<std::string> calls;  // "name arguments", with an error behind " !"
    int num_pending = 0;
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
      EXPECT_FALSE(delta.token_ids.empty() && delta.calls.empty());
      whole.text += delta.text;
      whole.reasoning += delta.reasoning;
      for (const calls::CallEvent& call : delta.calls) note(call, whole);
      whole.ids.insert(whole.ids.end(), delta.token_ids.begin(), delta.token_ids.end());
      whole.scores.insert(whole.scores.end(), delta.scores.begin(), delta.scores.end());
    }
  }
  Whole read(ChatRequest chat) {
    auto stream = start(std::move(chat));
    return read(*stream);
  }

  static void note(const calls::CallEvent& event, Whole& whole) {
    if (std::holds_alternative<calls::CallPending>(event)) ++whole.num_pending;
    if (const auto* begin = std::get_if<calls::CallBegin>(&event)) whole.calls.push_back(begin->name + " ");
    if (const auto* part = std::get_if<calls::ArgumentsDelta>(&event)) whole.calls.back() += part->json;
    if (const auto* end = std::get_if<calls::CallEnd>(&event); end != nullptr && !end->error.empty())
      whole.calls.back() += " !" + end->error;
  }

  std::string prompt_of(std::size_t run) { return toy_text(engine_->request(run).prompt); }
  // Whether the model may write this in that run, and end there.
  bool admits(std::size_t run, std::string_view text) {
    const auto constraint = engine_->request(run).constraint;
    if (!constraint) return true;
    const auto walked = constraint->clone();
    for (const std::int32_t id : ToyTokenizer().encode(text)) {
      if (!walked->allows(id)) return false;
      walked->accept(id);
    }
    return walked->allows(kToyStop);
  }

  ToolProfile profile_ = ToolProfile::weak;
  CallReading reading_;
  calls::ReasoningStart reasoning_start_ = calls::ReasoningStart::model_opens;
  int max_context_ = 100;
  std::deque<fakes::EngineScript> scripts_;
  IoDriver io_;
  boost::asio::thread_pool workers_;
  fakes::EngineScript script_;
  fakes::ScriptedEngine* engine_ = nullptr;
  std::shared_ptr<ChatModel> model_;
};

}  // namespace parley::orchestration::turn
