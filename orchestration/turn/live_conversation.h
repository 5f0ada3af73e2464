#pragma once
// A conversation in memory: while it answers, is watched, or was used a moment ago. I/O thread.
// Never fails. Changes of what is stored are made with `lock` held: store first, then record and log in one
// go.

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>

#include <boost/asio/any_io_executor.hpp>

#include "orchestration/sessions/conversation.h"
#include "orchestration/turn/async_lock.h"
#include "orchestration/turn/call_control.h"
#include "orchestration/turn/chat_model.h"
#include "orchestration/turn/event_log.h"
#include "orchestration/turn/wakeup.h"

namespace parley::orchestration::turn {

struct RunningTurn;

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
  std::shared_ptr<RunningTurn> turn;  // shared with the coroutine that runs it and those that await its end
  CallControl* calls = nullptr;       // of the turn, which sets it while it runs
  std::optional<UnsavedAnswer> unsaved;
  int num_watching = 0;              // subscriptions
  std::unique_ptr<ReadAhead> ahead;  // of the next question; null: it was not begun, or there is nothing
  std::uint64_t ahead_number = 0;  // of the newest wish to read ahead; what comes of an older one is dropped

  ConversationSummary summary() const;
  // Brings a message read from the store up to what memory knows better.
  void overlay(sessions::Message& message) const;
};

// As subscribers see it: without token ids, the whole output of calls, and the bytes of images.
MessageView without_bulk(sessions::Message message);
sessions::ToolCall without_bulk(sessions::ToolCall call);
// As subscribers see it in MessageChanged.
MessageView without_text(sessions::Message message);

}  // namespace parley::orchestration::turn
