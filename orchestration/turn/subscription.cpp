#include "orchestration/turn/subscription.h"

#include <utility>

#include "orchestration/turn/chat_read_ahead.h"
#include "orchestration/turn/event_size.h"
#include "orchestration/turn/run_blocking.h"

namespace parley::orchestration::turn {
namespace {

namespace asio = boost::asio;
using Events = std::vector<ConversationEvent>;

constexpr std::size_t kMaxPageBytes = 4u << 20;

// Shared with a wait that may outlive the subscription.
struct Reader {
  CorePtr core;
  LivePtr live;
  std::optional<Cursor> cursor;  // none: a snapshot comes next
};

// With the lock held nothing stored changes between reading and numbering; the growing answer comes from
// memory.
asio::awaitable<Snapshot> take_snapshot(CorePtr core, LivePtr live) {
  const HubCore::Activity activity(core);
  auto guard = co_await live->lock.acquire();
  auto work = [&] {
    return core->store.path(live->record.id, live->record.active_leaf, core->options.snapshot_messages);
  };
  sessions::MessagePage page = co_await run_blocking(core->store_thread, work);
  for (MessageView& message : page.items) live->overlay(message);
  make_presentable(page);
  Snapshot snapshot;
  snapshot.summary = live->summary();
  snapshot.messages = std::move(page.items);
  snapshot.more = page.more;
  snapshot.sequence = live->log.last_sequence();
  co_return snapshot;
}

asio::awaitable<Events> next_events(std::shared_ptr<Reader> reader) {
  Events events;
  while (!reader->core->closed) {
    if (!reader->cursor) {
      Snapshot snapshot = co_await take_snapshot(reader->core, reader->live);
      reader->cursor = reader->live->log.end();
      events.emplace_back(std::move(snapshot));
      break;
    }
    auto news = reader->live->log.read(*reader->cursor);
    if (!news) {
      reader->cursor.reset();
    } else if (!news->empty()) {
      events = std::move(*news);
      break;
    } else {
      co_await reader->live->changed.wait();
    }
  }
  co_return events;
}

class HubSubscription : public Subscription {
 public:
  explicit HubSubscription(std::shared_ptr<Reader> reader)
      : reader_(std::move(reader)), watching_(reader_->core, reader_->live) {}

  asio::awaitable<Events> next() override { return next_events(reader_); }

 private:
  std::shared_ptr<Reader> reader_;
  Watching watching_;
};

}  // namespace

std::unique_ptr<Subscription> make_subscription(CorePtr core, LivePtr live,
                                                const std::optional<ClientPosition>& have) {
  auto reader = std::make_shared<Reader>();
  if (have && have->instance == core->instance) reader->cursor = live->log.resume(*have);
  reader->core = std::move(core);
  reader->live = std::move(live);
  return std::make_unique<HubSubscription>(std::move(reader));
}

void make_presentable(sessions::MessagePage& page) {
  std::size_t bytes = 0;
  std::size_t first = page.items.size();
  while (first > 0) {
    const std::size_t with_this = bytes + bytes_of(page.items[first - 1]);
    if (with_this > kMaxPageBytes && bytes > 0) break;
    bytes = with_this;
    --first;
  }
  page.items.erase(page.items.begin(), page.items.begin() + static_cast<std::ptrdiff_t>(first));
  page.more = page.more || first > 0;
  for (MessageView& message : page.items) message = without_bulk(std::move(message));
}

}  // namespace parley::orchestration::turn
