#pragma once
// Changes of the conversation list to all who watch it. A slow watcher gets the newest state of each
// conversation once. I/O thread; watchers may outlive the feed. Never fails.

#include <memory>
#include <utility>
#include <vector>

#include <boost/asio/any_io_executor.hpp>

#include "orchestration/turn/conversation_events.h"

namespace parley::orchestration::turn {

class ListFeed {
 public:
  explicit ListFeed(boost::asio::any_io_executor executor) : executor_(std::move(executor)) {}

  std::unique_ptr<ListSubscription> subscribe();
  void announce(const ConversationSummary& summary);
  // Ends all subscriptions, also later ones.
  void close();

 private:
  struct Watcher;
  class Subscription;

  boost::asio::any_io_executor executor_;
  std::vector<std::weak_ptr<Watcher>> watchers_;
  bool closed_ = false;
};

}  // namespace parley::orchestration::turn
