#pragma once
// A hub over a store and a scripted model, driven from the test's thread.

#include <gtest/gtest.h>

#include <future>
#include <memory>
#include <string>
#include <utility>
#include <variant>

#include <boost/asio/cancellation_signal.hpp>
#include <boost/asio/detached.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/thread_pool.hpp>

#include "orchestration/sessions/session_store.h"
#include "orchestration/turn/conversation_hub.h"
#include "orchestration/turn/uuid.h"
#include "tests/fakes/memory_store.h"
#include "tests/fakes/scripted_chat_model.h"
#include "tests/orchestration/turn/client_view.h"
#include "tests/orchestration/turn/io_driver.h"

namespace parley::orchestration::turn {

using fakes::ChatScript;
using sessions::Message;
using sessions::MessageStatus;
using Code = CommandError::Code;

inline std::string test_uuid(int n) {
  std::string digits = std::to_string(n);
  return "00000000-0000-4000-8000-" + std::string(12 - digits.size(), '0') + digits;
}

template <typename T>
T value_of(const CommandResult<T>& result) {
  if (const auto* error = std::get_if<CommandError>(&result)) throw std::runtime_error(error->message);
  return std::get<T>(result);
}

template <typename T>
CommandError error_of(const CommandResult<T>& result) {
  if (std::holds_alternative<T>(result)) throw std::runtime_error("no error");
  return std::get<CommandError>(result);
}

// A subscriber that reads all the time.
class FollowingClient {
 public:
  FollowingClient(IoDriver& io, ConversationHub& hub, const std::string& conversation,
                  std::optional<ClientPosition> have = std::nullopt) {
    auto result = io.run(hub.subscribe(conversation, std::move(have)));
    auto state = state_;
    state->subscription = std::move(std::get<std::unique_ptr<Subscription>>(result));
    boost::asio::co_spawn(io.io(), follow(state), boost::asio::detached);
  }
  ~FollowingClient() { state_->ended = true; }

  ClientView& view() { return state_->view; }
  bool ended() const { return state_->ended; }

 private:
  struct State {
    std::unique_ptr<Subscription> subscription;
    ClientView view;
    bool ended = false;
  };

  static boost::asio::awaitable<void> follow(std::shared_ptr<State> state) {
    while (!state->ended) {
      const auto events = co_await state->subscription->next();
      if (events.empty()) state->ended = true;
      if (!state->ended) state->view.apply(events);
    }
  }

  std::shared_ptr<State> state_ = std::make_shared<State>();
};

class HubTest : public testing::Test {
 protected:
  HubTest() : store_thread_(1), model_(io_.executor()) {
    options_.persist_interval = std::chrono::milliseconds(5);
    options_.log = [this](const std::string& line) { logged_.push_back(line); };
    answer_with({"Hel", "lo"});
  }

  void SetUp() override { open_hub(tests::fakes::make_memory_store()); }

  void TearDown() override {
    if (hub_) io_.run(hub_->shut_down(std::chrono::milliseconds(0)));
    hub_.reset();
    store_thread_.join();
  }

  void open_hub(std::unique_ptr<sessions::SessionStore> store) {
    store_ = std::move(store);
    hub_ = make_conversation_hub(*store_, store_thread_, model_, io_.executor(), options_);
  }

  void answer_with(std::vector<std::string> pieces) {
    ChatScript script;
    script.pieces = std::move(pieces);
    answer_with(std::move(script));
  }
  void answer_with(ChatScript script) {
    model_.answer = [script](const ChatRequest&) { return script; };
  }

  std::string create(int n = 1, const std::string& title = "") {
    io_.run(hub_->create(make_uuid(), test_uuid(n), title));
    return test_uuid(n);
  }

  CommandResult<std::string> try_send(const std::string& conversation, int id,
                                      const std::string& text = "hello",
                                      std::optional<std::string> parent = std::nullopt) {
    SendCommand command;
    command.id = test_uuid(id);
    command.conversation = conversation;
    command.text = text;
    command.parent = std::move(parent);
    return io_.run(hub_->send(std::move(command)));
  }
  std::string send(const std::string& conversation, int id, const std::string& text = "hello") {
    return value_of(try_send(conversation, id, text));
  }

  void wait_for_end(const std::string& conversation) {
    io_.run_until([&] { return !hub_->answering(conversation); });
  }
  std::string send_and_wait(const std::string& conversation, int id, const std::string& text = "hello") {
    std::string answer = send(conversation, id, text);
    wait_for_end(conversation);
    return answer;
  }

  // What a new client sees.
  ClientView look(const std::string& conversation) {
    auto result = io_.run(hub_->subscribe(conversation, std::nullopt));
    auto& subscription = std::get<std::unique_ptr<Subscription>>(result);
    ClientView view;
    view.apply(io_.run(subscription->next()));
    return view;
  }

  // Where it is safe: from elsewhere Asio would post it, and the signal may be gone when it arrives.
  void emit_on_io_thread(boost::asio::cancellation_signal& signal) {
    bool emitted = false;
    boost::asio::post(io_.io(), [&] {
      signal.emit(boost::asio::cancellation_type::all);
      emitted = true;
    });
    io_.run_until([&] { return emitted; });
  }

  // What the store holds, asked on its own thread.
  template <typename F>
  auto ask_store(F ask) {
    std::packaged_task<decltype(ask(*store_))()> task([&] { return ask(*store_); });
    auto answer = task.get_future();
    boost::asio::post(store_thread_, std::move(task));
    return answer.get();
  }
  Message stored(const std::string& conversation, const std::string& message) {
    return ask_store([&](auto& store) { return store.find_message(conversation, message).value(); });
  }
  sessions::Conversation stored(const std::string& conversation) {
    return ask_store([&](auto& store) { return store.find(conversation).value(); });
  }

  IoDriver io_;
  boost::asio::thread_pool store_thread_;
  fakes::ScriptedChatModel model_;
  HubOptions options_;
  std::vector<std::string> logged_;
  std::unique_ptr<sessions::SessionStore> store_;
  std::unique_ptr<ConversationHub> hub_;
};

}  // namespace parley::orchestration::turn
