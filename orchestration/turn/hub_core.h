#pragma once
// What all parts of the hub share: the store, the model, the conversations in memory, who is to be told of
// changes. I/O thread. Only open() throws, StoreError. Coroutines hold it by shared_ptr, because a turn or a
// wait may outlive the hub's front.

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <unordered_map>

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/awaitable.hpp>
#include <boost/asio/thread_pool.hpp>

#include "orchestration/sessions/session_store.h"
#include "orchestration/turn/chat_model.h"
#include "orchestration/turn/conversation_hub.h"
#include "orchestration/turn/list_feed.h"
#include "orchestration/turn/live_conversation.h"
#include "orchestration/turn/tool_desk.h"
#include "orchestration/turn/uuid.h"
#include "orchestration/turn/wakeup.h"

namespace parley::orchestration::turn {

class HubCore;
using CorePtr = std::shared_ptr<HubCore>;
using LivePtr = std::shared_ptr<LiveConversation>;

class HubCore {
 public:
  HubCore(sessions::SessionStore& session_store, boost::asio::thread_pool& thread, ChatModel& chat_model,
          boost::asio::any_io_executor io, HubOptions hub_options);

  sessions::SessionStore& store;           // used on store_thread only
  boost::asio::thread_pool& store_thread;  // for run_blocking
  ChatModel& model;
  const boost::asio::any_io_executor executor;
  const HubOptions options;
  const std::string instance = make_uuid();
  ListFeed list;

  // The conversation in memory, read from the store if need be; null: there is none. Throws StoreError.
  static boost::asio::awaitable<LivePtr> open(CorePtr core, std::string id);
  LivePtr find(const std::string& id) const;
  const std::unordered_map<std::string, LivePtr>& conversations() const { return live_; }

  // Numbers the event and tells the subscribers.
  void publish(LiveConversation& live, ConversationEvent event);
  void publish_changed(LiveConversation& live);  // ConversationChanged, and the list
  void announce(const LiveConversation& live) { list.announce(live.summary()); }

  // Milliseconds since 1970 that rise with every call, also when the clock is set back: they order the list.
  sessions::UnixMillis now();

  // What has nobody to be told to. Any text; one line.
  void log(const std::string& line) const {
    if (options.log) options.log(line);
  }

  bool closing = false;                                      // no new turns
  Wakeup::TimePoint drain_until = Wakeup::TimePoint::min();  // running ones have until then
  bool closed = false;  // subscriptions have ended, nothing uses the store any more
  void close();

  // Counts what uses store or model, so that shutting down can wait for it.
  class Activity {
   public:
    explicit Activity(CorePtr core) : core_(std::move(core)) { ++core_->activities_; }
    ~Activity() {
      --core_->activities_;
      core_->activity_ended.notify();
    }
    Activity(const Activity&) = delete;
    Activity& operator=(const Activity&) = delete;

   private:
    CorePtr core_;
  };
  std::size_t activities() const { return activities_; }
  Wakeup activity_ended;

 private:
  void forget_idle();

  std::unordered_map<std::string, LivePtr> live_;  // shared with turns, commands and subscriptions
  std::uint64_t published_ = 0;                    // events of all conversations
  std::size_t activities_ = 0;
  sessions::UnixMillis last_time_ = 0;
};

}  // namespace parley::orchestration::turn
