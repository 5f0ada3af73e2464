#include "orchestration/turn/list_feed.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "tests/orchestration/turn/hub_fixture.h"

namespace parley::orchestration::turn {
namespace {

class ListFeedTest : public testing::Test {
 protected:
  void announce(const std::string& id, const std::string& title = "") {
    ConversationSummary summary;
    summary.conversation.id = id;
    summary.conversation.title = title;
    feed_.announce(summary);
  }
  std::string next(ListSubscription& subscription) {
    std::string text;
    for (const ConversationSummary& summary : io_.run(subscription.next())) {
      text += summary.conversation.id + ":" + summary.conversation.title + " ";
    }
    return text;
  }

  IoDriver io_;
  ListFeed feed_{io_.executor()};
};

TEST_F(ListFeedTest, ASlowWatcherGetsTheNewestOfEachOnce) {
  auto watcher = feed_.subscribe();
  announce("a", "1");
  announce("b", "1");
  announce("a", "2");
  EXPECT_EQ(next(*watcher), "b:1 a:2 ");
  announce("b", "2");
  EXPECT_EQ(next(*watcher), "b:2 ");
}

TEST_F(ListFeedTest, WatchersSeeWhatComesAfterThem) {
  auto first = feed_.subscribe();
  announce("a");
  auto second = feed_.subscribe();
  announce("b");
  EXPECT_EQ(next(*first), "a: b: ");
  EXPECT_EQ(next(*second), "b: ");
  first.reset();
  announce("c");
  EXPECT_EQ(next(*second), "c: ");
}

TEST_F(ListFeedTest, AWaitingWatcherIsWoken) {
  auto watcher = feed_.subscribe();
  std::size_t got = 0;
  boost::asio::co_spawn(
      io_.io(), watcher->next(),
      [&](std::exception_ptr, std::vector<ConversationSummary> news) { got = news.size(); });
  io_.io().poll();
  EXPECT_EQ(got, 0u);
  watcher.reset();  // the wait outlives it
  announce("a");
  io_.run_until([&] { return got == 1; });
}

TEST_F(ListFeedTest, ItsEndEndsAllSubscriptions) {
  auto watcher = feed_.subscribe();
  announce("a");
  feed_.close();
  EXPECT_EQ(next(*watcher), "a: ");  // what was announced is still told
  EXPECT_EQ(next(*watcher), "");
  EXPECT_EQ(next(*feed_.subscribe()), "");
}

using HubsListFeed = HubTest;

TEST_F(HubsListFeed, AListWatcherGetsTheNewestOfEachConversation) {
  auto list = hub_->subscribe_list();
  create(1);
  create(2);
  io_.run(hub_->rename(make_uuid(), test_uuid(1), "once"));
  io_.run(hub_->rename(make_uuid(), test_uuid(1), "twice"));
  const auto changes = io_.run(list->next());
  ASSERT_EQ(changes.size(), 2u);
  EXPECT_EQ(changes[0].conversation.id, test_uuid(2));
  EXPECT_EQ(changes[1].conversation.title, "twice");

  send_and_wait(test_uuid(1), 10);
  const auto ended = io_.run(list->next());
  ASSERT_EQ(ended.size(), 1u);
  EXPECT_FALSE(ended[0].answering);
}

}  // namespace
}  // namespace parley::orchestration::turn
