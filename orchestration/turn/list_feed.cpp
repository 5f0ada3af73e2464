#include "orchestration/turn/list_feed.h"

#include <utility>

#include "orchestration/turn/wakeup.h"

namespace parley::orchestration::turn {

struct ListFeed::Watcher {
  explicit Watcher(const boost::asio::any_io_executor& executor) : changed(executor) {}

  std::vector<ConversationSummary> pending;  // one of each conversation, the newest change last
  bool closed = false;
  Wakeup changed;

  void add(const ConversationSummary& summary) {
    std::erase_if(pending, [&](const ConversationSummary& old) {
      return old.conversation.id == summary.conversation.id;
    });
    pending.push_back(summary);
    changed.notify();
  }
};

class ListFeed::Subscription : public ListSubscription {
 public:
  explicit Subscription(std::shared_ptr<Watcher> watcher) : watcher_(std::move(watcher)) {}

  boost::asio::awaitable<std::vector<ConversationSummary>> next() override {
    auto watcher = watcher_;
    while (watcher->pending.empty() && !watcher->closed) co_await watcher->changed.wait();
    co_return std::exchange(watcher->pending, std::vector<ConversationSummary>());
  }

 private:
  std::shared_ptr<Watcher> watcher_;  // shared with a wait that may outlive the subscription
};

std::unique_ptr<ListSubscription> ListFeed::subscribe() {
  auto watcher = std::make_shared<Watcher>(executor_);
  watcher->closed = closed_;
  std::erase_if(watchers_, [](const auto& old) { return old.expired(); });
  watchers_.push_back(watcher);
  return std::make_unique<Subscription>(std::move(watcher));
}

void ListFeed::announce(const ConversationSummary& summary) {
  for (const auto& weak : watchers_) {
    if (const auto watcher = weak.lock()) watcher->add(summary);
  }
}

void ListFeed::close() {
  closed_ = true;
  for (const auto& weak : watchers_) {
    if (const auto watcher = weak.lock()) {
      watcher->closed = true;
      watcher->changed.notify();
    }
  }
}

}  // namespace parley::orchestration::turn
