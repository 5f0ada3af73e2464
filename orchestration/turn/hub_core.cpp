#include "orchestration/turn/hub_core.h"

#include <algorithm>
#include <chrono>
#include <optional>
#include <utility>

#include "orchestration/turn/run_blocking.h"

namespace parley::orchestration::turn {
namespace {

namespace asio = boost::asio;

constexpr std::size_t kMaxIdleConversations = 256;

}  // namespace

HubCore::HubCore(sessions::SessionStore& session_store, asio::thread_pool& thread, ChatModel& chat_model,
                 asio::any_io_executor io, HubOptions hub_options)
    : store(session_store),
      store_thread(thread),
      model(chat_model),
      executor(std::move(io)),
      options(std::move(hub_options)),
      list(executor),
      activity_ended(executor) {}

LivePtr HubCore::find(const std::string& id) const {
  const auto found = live_.find(id);
  return found == live_.end() ? nullptr : found->second;
}

asio::awaitable<LivePtr> HubCore::open(CorePtr core, std::string id) {
  if (auto live = core->find(id)) co_return live;
  auto work = [&] { return core->store.find(id); };
  std::optional<sessions::Conversation> stored = co_await run_blocking(core->store_thread, work);
  if (auto live = core->find(id)) co_return live;  // another command was faster
  if (!stored) co_return nullptr;
  core->forget_idle();
  EventLog::Limits limits;
  limits.events = core->options.event_history;
  // Numbers go on from all events so far: a conversation that was forgotten in between never gives a number
  // twice, and a client that had seen everything still has the newest number only if nothing happened since.
  auto live =
      std::make_shared<LiveConversation>(std::move(*stored), core->published_, limits, core->executor);
  core->live_.emplace(std::move(id), live);
  co_return live;
}

void HubCore::forget_idle() {
  if (live_.size() < kMaxIdleConversations) return;
  std::erase_if(live_, [](const auto& entry) {
    const LivePtr& live = entry.second;
    return live.use_count() == 1 && !live->turn && !live->unsaved;
  });
}

void HubCore::publish(LiveConversation& live, ConversationEvent event) {
  ++published_;
  live.log.add(std::move(event));
  live.changed.notify();
}

void HubCore::publish_changed(LiveConversation& live) {
  ConversationChanged event;
  event.summary = live.summary();
  publish(live, std::move(event));
  announce(live);
}

sessions::UnixMillis HubCore::now() {
  const auto since_epoch = std::chrono::system_clock::now().time_since_epoch();
  const auto time = std::chrono::duration_cast<std::chrono::milliseconds>(since_epoch).count();
  last_time_ = std::max<sessions::UnixMillis>(last_time_ + 1, time);
  return last_time_;
}

void HubCore::close() {
  closing = true;
  closed = true;
  list.close();
  for (const auto& [id, live] : live_) {
    live->changed.notify();
    live->ahead.reset();
  }
}

}  // namespace parley::orchestration::turn
