#pragma once
// A conversation in memory: while it answers, is watched, or was used a moment ago. I/O thread.
// Changes of what is stored are made with `lock` held: store first, then record and log in one go.

#include <chrono>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>

#include <boost/asio/any_io_executor.hpp>

#include "orchestration/sessions/conversation.h"
#include "orchestration/turn/async_lock.h"
#include "orchestration/turn/chat_model.h"
#include "orchestration/turn/event_log.h"
#include "orchestration/turn/wakeup.h"

namespace parley::orchestration::turn {

// An answer being generated.
struct RunningTurn {
  explicit RunningTurn(const boost::asio::any_io_executor& executor) : changed(executor) {}

  sessions::Message answer;  // without its text, which grows in the conversation's log
  std::string history_leaf;  // the model is given the path to this message
  bool goes_on = false;      // the answer has a beginning, and is the history's last message
  std::chrono::steady_clock::time_point arrived = std::chrono::steady_clock::now();  // of the command
  std::chrono::duration<double, std::milli> waited{};  // from then until the model was asked
  std::unique_ptr<ChatStream> stream;                  // while the model answers
  bool ended = false;
  Wakeup changed;  // `ended` became true

  // The status that the answer gets: `stopped` by the user, `interrupted` by the server.
  void request_stop(sessions::MessageStatus as);
  std::optional<sessions::MessageStatus> stop_requested;
};

// The end of an answer that the store did not take; kept until it does.
struct UnsavedAnswer {
  sessions::Message answer;
  std::string failure;  // a sentence for the user
};

struct LiveConversation {
  LiveConversation(sessions::Conversation stored, std::uint64_t base, const EventLog::Limits& limits,
                   const boost::asio::any_io_executor& executor)
      : record(std::move(stored)), log(base, limits), changed(executor), lock(executor) {}

  sessions::Conversation record;
  EventLog log;
  Wakeup changed;  // the log has grown, or all subscriptions end
  AsyncLock lock;
  std::shared_ptr<RunningTurn>
      turn;  // shared with the coroutine that runs it and those that wait for its end
  std::optional<UnsavedAnswer> unsaved;

  ConversationSummary summary() const;
  // Brings a message read from the store up to what memory knows better.
  void overlay(sessions::Message& message) const;
};

// As subscribers see it in MessageChanged.
MessageView without_text(sessions::Message message);

}  // namespace parley::orchestration::turn
