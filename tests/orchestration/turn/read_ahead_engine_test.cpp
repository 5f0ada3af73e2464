// From the chat that is opened to the first question, with the real engine: it finds the tools in the cache.
#include <gtest/gtest.h>

#include <memory>
#include <string>

#include "inference/engine/local_engine.h"
#include "orchestration/turn/local_chat_model.h"
#include "orchestration/turn/run_blocking.h"
#include "orchestration/turn/tool_desk.h"
#include "tests/fakes/scripted_tool.h"
#include "tests/fakes/toy_model.h"
#include "tests/orchestration/turn/hub_fixture.h"
#include "tests/orchestration/turn/toy_text.h"

namespace parley::orchestration::turn {
namespace {

class ReadAheadEngineTest : public testing::Test {
 protected:
  ReadAheadEngineTest() : store_thread_(1), workers_(2), store_(tests::fakes::make_memory_store()) {
    ToolDeskParts parts;
    parts.current = [this] { return state_; };
    desk_ = std::make_unique<ToolDesk>(io_.executor(), std::move(parts));
  }
  ~ReadAheadEngineTest() override {
    tab_.reset();
    if (hub_) io_.run(hub_->shut_down(std::chrono::milliseconds(0)));
    hub_.reset();
    model_.reset();
    workers_.join();
    store_thread_.join();
  }

  void start(ToolProfile profile) {
    inference::engine::EngineOptions options{.num_blocks = 256, .max_context = 2000, .vocab_size = 259};
    LocalModelParts parts;
    parts.info.name = "toy";
    parts.info.max_context = options.max_context;
    parts.info.tool_profile = profile;
    parts.tokenizer = std::make_unique<ToyTokenizer>();
    parts.prompts = std::make_unique<ToyPromptBuilder>();
    tests::fakes::ToyModel model;
    model.vocab_size = options.vocab_size;
    auto runner = std::make_unique<tests::fakes::ToyRunner>(model, options.num_blocks,
                                                            options.scheduling.max_step_tokens);
    parts.engine = inference::engine::make_local_engine(std::move(runner), options);
    engine_ = parts.engine.get();
    model_ = make_local_chat_model(std::move(parts), io_.executor(), workers_);
    HubOptions hub_options;
    hub_options.tools = desk_.get();
    hub_options.defaults.max_tokens = 5;
    hub_ = make_conversation_hub(*store_, store_thread_, *model_, io_.executor(), hub_options);
    io_.run(hub_->create(make_uuid(), test_uuid(1), ""));
  }
  void open() {
    auto result = io_.run(hub_->subscribe(test_uuid(1), std::nullopt));
    tab_ = std::move(std::get<std::unique_ptr<Subscription>>(result));
  }
  void switch_on(std::vector<std::string> names) {
    SettingsCommand command;
    command.id = make_uuid();
    command.conversation = test_uuid(1);
    command.tools = std::move(names);
    value_of(io_.run(hub_->change_settings(std::move(command))));
  }
  std::uint64_t tokens_read() const { return engine_->stats().read_ahead_tokens; }
  sessions::Usage usage_of_a_question() {
    SendCommand command;
    command.id = make_uuid();
    command.conversation = test_uuid(1);
    command.text = "Will it rain?";
    const std::string answer = value_of(io_.run(hub_->send(std::move(command))));
    io_.run_until([&] { return !hub_->answering(test_uuid(1)); });
    auto ask = [&] { return store_->find_message(test_uuid(1), answer).value(); };
    return io_.run(run_blocking(store_thread_, ask)).usage;
  }

  IoDriver io_;
  boost::asio::thread_pool store_thread_;
  boost::asio::thread_pool workers_;
  std::unique_ptr<sessions::SessionStore> store_;
  std::shared_ptr<const tools::RegistryState> state_ =
      fakes::state_with({std::make_shared<fakes::ScriptedTool>("read_the_weather_report", "city"),
                         std::make_shared<fakes::ScriptedTool>("tell_the_time_of_day", "zone")});
  std::unique_ptr<ToolDesk> desk_;
  inference::engine::Engine* engine_ = nullptr;
  std::shared_ptr<ChatModel> model_;
  std::unique_ptr<ConversationHub> hub_;
  std::unique_ptr<Subscription> tab_;
};

// "T(read_the_weather_report,tell_the_time_of_day)u:" is 49 tokens, three whole blocks.
TEST_F(ReadAheadEngineTest, TheFirstQuestionFindsTheToolsInTheCache) {
  start(ToolProfile::native);
  open();
  io_.run_until([&] { return tokens_read() == 48; });
  const sessions::Usage usage = usage_of_a_question();
  EXPECT_EQ(usage.prompt_tokens, 49 + 14);
  EXPECT_EQ(usage.cached_tokens, 48);
}

TEST_F(ReadAheadEngineTest, WithoutAnybodyWhoLooksNothingIsRead) {
  start(ToolProfile::native);
  EXPECT_EQ(usage_of_a_question().cached_tokens, 0);
  EXPECT_EQ(tokens_read(), 0u);
}

TEST_F(ReadAheadEngineTest, WhatWasReadForOneChatIsThereForAll) {
  start(ToolProfile::native);
  open();
  io_.run_until([&] { return tokens_read() == 48; });
  switch_on({"tell_the_time_of_day"});  // 25 tokens: one block
  io_.run_until([&] { return tokens_read() == 64; });
  switch_on({"read_the_weather_report", "tell_the_time_of_day"});
  EXPECT_EQ(usage_of_a_question().cached_tokens, 48);
  EXPECT_EQ(tokens_read(), 64u) << "nothing was read twice";
}

TEST_F(ReadAheadEngineTest, TheRouterFindsItsListInTheCache) {
  start(ToolProfile::weak);
  open();
  switch_on({"read_the_weather_report", "tell_the_time_of_day"});
  io_.run_until([&] { return tokens_read() > 0 && engine_->stats().referenced_blocks == 0; });
  const int read = static_cast<int>(tokens_read());
  EXPECT_GT(read, 300);
  EXPECT_GE(usage_of_a_question().cached_tokens, read);
}

}  // namespace
}  // namespace parley::orchestration::turn
