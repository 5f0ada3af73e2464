#pragma once
// One run of the server with the store on disk, which can die at any moment and be followed by another.

#include <filesystem>
#include <memory>
#include <string>

#include "orchestration/sessions/sqlite_store.h"
#include "tests/orchestration/turn/hub_fixture.h"

namespace parley::orchestration::turn {

struct ServerRun {
  explicit ServerRun(const std::filesystem::path& folder) : store_thread(1), model(io.executor()) {
    store = sessions::open_sqlite_store(folder, report);
    HubOptions options;
    options.persist_interval = std::chrono::milliseconds(2);
    hub = make_conversation_hub(*store, store_thread, model, io.executor(), options);
    ChatScript script;
    script.pause = std::chrono::microseconds(300);
    for (int i = 0; i < 40; ++i) script.pieces.push_back("piece " + std::to_string(i) + "\n");
    model.answer = [script](const ChatRequest&) { return script; };
  }
  // Without a word to anybody, like a crash after the last write.
  ~ServerRun() { store_thread.join(); }

  CommandResult<std::string> send(const std::string& conversation, int id) {
    SendCommand command;
    command.id = test_uuid(id);
    command.conversation = conversation;
    command.text = "question";
    return io.run(hub->send(std::move(command)));
  }
  void wait_for_end(const std::string& conversation) {
    io.run_until([&] { return !hub->answering(conversation); });
  }

  // On the store's own thread.
  template <typename F>
  auto ask_store(F ask) {
    std::packaged_task<decltype(ask(*store))()> task([&] { return ask(*store); });
    auto answer = task.get_future();
    boost::asio::post(store_thread, std::move(task));
    return answer.get();
  }

  // Members die in reverse order: the coroutines with the io_context, last.
  sessions::StoreReport report;
  std::unique_ptr<sessions::SessionStore> store;
  IoDriver io;
  boost::asio::thread_pool store_thread;
  fakes::ScriptedChatModel model;
  std::unique_ptr<ConversationHub> hub;
};

inline std::string whole_answer() {
  std::string text;
  for (int i = 0; i < 40; ++i) text += "piece " + std::to_string(i) + "\n";
  return text;
}

}  // namespace parley::orchestration::turn
