// Clients that come, go, lag and come back: the same text for all, nothing lost, nothing twice.
#include "orchestration/turn/subscription.h"

#include <gtest/gtest.h>

#include <random>

#include <boost/asio/bind_cancellation_slot.hpp>

#include "tests/orchestration/turn/hub_fixture.h"

namespace parley::orchestration::turn {
namespace {

class SubscriptionTest : public HubTest {
 protected:
  // Reads until there is nothing to read, without waiting for more.
  void read_all(Subscription& subscription, ClientView& view) {
    auto next = [&]() -> boost::asio::awaitable<void> {
      const auto events = co_await subscription.next();
      view.apply(events);
    };
    boost::asio::cancellation_signal signal;
    bool ended = false;
    boost::asio::co_spawn(
        io_.io(), next,
        boost::asio::bind_cancellation_slot(signal.slot(), [&](std::exception_ptr) { ended = true; }));
    io_.io().poll();
    emit_on_io_thread(signal);
    io_.run_until([&] { return ended; });
  }

  std::unique_ptr<Subscription> subscribe(const std::string& id, std::optional<ClientPosition> have) {
    auto result = io_.run(hub_->subscribe(id, std::move(have)));
    return std::move(std::get<std::unique_ptr<Subscription>>(result));
  }

  ChatScript long_answer(std::mt19937& random) {
    static const std::vector<std::string> kPieces = {"word ", "Größe ", "\xF0\x9F\x98\x80", "\n\n", "漢字",
                                                     "a",     "- "};
    ChatScript script;
    script.pause = std::chrono::microseconds(random() % 60);
    const int size = static_cast<int>(random() % 60);
    for (int i = 0; i < size; ++i) script.pieces.push_back(kPieces[random() % kPieces.size()]);
    script.stop_reason = random() % 3 == 0 ? "length" : "stop";
    return script;
  }

  // Something a user might do now.
  void act(std::mt19937& random, const std::string& id) {
    const std::string leaf = stored(id).active_leaf;
    switch (random() % 8) {
      case 0:
        io_.run(hub_->stop(make_uuid(), id));
        break;
      case 1:
        io_.run(hub_->rename(make_uuid(), id, "title " + std::to_string(random())));
        break;
      case 2:
        io_.run(hub_->regenerate(test_uuid(++last_id_), id, leaf));
        break;
      case 3:
        io_.run(hub_->continue_answer(make_uuid(), id, leaf));
        break;
      default:
        ++last_id_;
        try_send(id, last_id_, "question " + std::to_string(last_id_));
    }
  }

  int last_id_ = 1000;
};

TEST_F(SubscriptionTest, AnUpToDateClientGetsNothingTwice) {
  const auto id = create();
  send_and_wait(id, 10);
  auto first = subscribe(id, std::nullopt);
  ClientView view;
  view.apply(io_.run(first->next()));
  first.reset();
  FollowingClient client(io_, *hub_, id, view.position(hub_->instance()));
  io_.run_for(std::chrono::milliseconds(5));
  EXPECT_EQ(client.view().num_snapshots, 0);
  EXPECT_EQ(client.view().sequence(), 0u);  // nothing came
}

TEST_F(SubscriptionTest, OnlyTheMissingPartOfAnAnswerIsSent) {
  const auto id = create();
  ChatScript script;
  script.pieces = {"0123456789"};
  script.until_cancelled = true;
  answer_with(script);
  const auto answer = send(id, 10);
  io_.run_until([&] { return stored(id, answer).text.size() == 10; });
  ClientPosition have;
  have.instance = hub_->instance();
  have.sequence = look(id).sequence();
  have.message = answer;
  have.offset = 4;
  auto subscription = subscribe(id, have);
  const auto events = io_.run(subscription->next());
  ASSERT_EQ(events.size(), 1u);
  const auto& delta = std::get<TextDelta>(events[0]);
  EXPECT_EQ(delta.offset, 4u);
  EXPECT_EQ(delta.text, "456789");
  EXPECT_EQ(delta.message, answer);
}

TEST_F(SubscriptionTest, PositionsThatCannotBeAreAnsweredWithASnapshot) {
  const auto id = create();
  answer_with({"\xC3\xA4\xC3\xB6"});
  const auto answer = send_and_wait(id, 10);
  ChatScript script;
  script.pieces = {"\xC3\xA4\xC3\xB6"};
  script.until_cancelled = true;
  answer_with(script);
  const auto growing = send(id, 11);
  io_.run_until([&] { return stored(id, growing).text.size() == 4; });
  ClientPosition good;
  good.instance = hub_->instance();
  good.sequence = look(id).sequence();
  good.message = growing;
  good.offset = 2;
  ASSERT_TRUE(std::holds_alternative<TextDelta>(io_.run(subscribe(id, good)->next())[0]));

  std::vector<ClientPosition> bad(8, good);
  bad[0].instance = test_uuid(77);
  bad[1].sequence = 1000;
  bad[2].message = answer;
  bad[3].message = "unknown";
  bad[4].offset = 5;
  bad[5].offset = 3;  // inside a character
  bad[6].epoch = 1;
  bad[7].offset = SIZE_MAX;
  for (const ClientPosition& position : bad) {
    const auto events = io_.run(subscribe(id, position)->next());
    ASSERT_EQ(events.size(), 1u);
    const auto& snapshot = std::get<Snapshot>(events[0]);
    EXPECT_EQ(snapshot.messages.back().text, "\xC3\xA4\xC3\xB6");
    EXPECT_TRUE(snapshot.summary.answering);
  }
}

TEST_F(SubscriptionTest, TwoSubscribersSeeTheSame) {
  const auto id = create();
  FollowingClient first(io_, *hub_, id);
  send_and_wait(id, 10);
  FollowingClient second(io_, *hub_, id);
  send_and_wait(id, 11);
  io_.run_until([&] {
    return first.view().sequence() == second.view().sequence() &&
           second.view().last().status == MessageStatus::complete;
  });
  ASSERT_EQ(first.view().messages.size(), 4u);
  for (std::size_t i = 0; i < 4; ++i) {
    EXPECT_EQ(first.view().messages[i].text, second.view().messages[i].text);
    EXPECT_EQ(first.view().messages[i].id, second.view().messages[i].id);
  }
}

TEST_F(SubscriptionTest, ASlowReaderGetsFewerLongerDeltas) {
  const auto id = create();
  ChatScript script;
  for (int i = 0; i < 500; ++i) script.pieces.push_back("piece ");
  answer_with(script);
  FollowingClient quick(io_, *hub_, id);
  auto subscription = subscribe(id, std::nullopt);
  ClientView slow;
  slow.apply(io_.run(subscription->next()));
  send_and_wait(id, 10);
  const auto events = io_.run(subscription->next());
  slow.apply(events);
  EXPECT_EQ(slow.num_deltas, 1);
  EXPECT_EQ(slow.num_snapshots, 1);
  EXPECT_EQ(slow.last().text.size(), 3000u);
  EXPECT_EQ(slow.last().status, MessageStatus::complete);
  io_.run_until([&] { return quick.view().last().status == MessageStatus::complete; });
  EXPECT_GT(quick.view().num_deltas, 100);
}

TEST_F(SubscriptionTest, AReaderBehindTheHistoryGetsASnapshot) {
  options_.event_history = 4;
  open_hub(tests::fakes::make_memory_store());
  const auto id = create();
  auto subscription = subscribe(id, std::nullopt);
  ClientView view;
  view.apply(io_.run(subscription->next()));
  for (int n = 0; n < 5; ++n) send_and_wait(id, 10 + n);
  view.apply(io_.run(subscription->next()));
  EXPECT_EQ(view.num_snapshots, 2);
  EXPECT_EQ(view.messages.size(), 10u);
}

TEST_F(SubscriptionTest, ATurnRunsOnWithoutSubscribers) {
  const auto id = create();
  auto subscription = subscribe(id, std::nullopt);
  send(id, 10);
  subscription.reset();
  wait_for_end(id);
  EXPECT_EQ(look(id).last().text, "Hello");
}

TEST_F(SubscriptionTest, ASubscriptionMayBeDroppedWhileItWaits) {
  const auto id = create();
  auto subscription = subscribe(id, std::nullopt);
  io_.run(subscription->next());
  bool ended = false;
  boost::asio::co_spawn(io_.io(), subscription->next(),
                        [&](std::exception_ptr, std::vector<ConversationEvent>) { ended = true; });
  io_.io().poll();
  subscription.reset();
  send_and_wait(id, 10);
  io_.run_until([&] { return ended; });
}

// The client is cut at random moments, with events in flight lost, and comes back with what it has.
TEST_F(SubscriptionTest, AThousandRandomCutsLoseNothing) {
  std::mt19937 random(20'240);
  options_.event_history = 12;
  open_hub(tests::fakes::make_memory_store());
  const auto id = create(1, "title");
  model_.answer = [&](const ChatRequest&) { return long_answer(random); };
  ClientView view;
  std::optional<ClientPosition> have;
  int num_resumed = 0;
  for (int cut = 0; cut < 1000; ++cut) {
    for (int away = cut % 40 == 39 ? 8 : 0; away > 0; --away) {  // longer than the history reaches
      act(random, id);
      wait_for_end(id);
    }
    auto subscription = subscribe(id, have);
    const int snapshots_before = view.num_snapshots;
    const int reads = static_cast<int>(random() % 4);
    for (int i = 0; i < reads; ++i) {
      read_all(*subscription, view);
      if (random() % 3 == 0) act(random, id);
      if (random() % 2 == 0) io_.run_for(std::chrono::milliseconds(random() % 3));
    }
    if (view.num_snapshots == snapshots_before && reads > 0) ++num_resumed;
    if (view.num_snapshots > 0) have = view.position(hub_->instance());
    ASSERT_FALSE(HasFailure()) << "cut " << cut;
  }
  wait_for_end(id);
  auto subscription = subscribe(id, have);
  read_all(*subscription, view);
  const std::string leaf = stored(id).active_leaf;
  const auto whole = ask_store([&](auto& store) { return store.path(id, leaf, SIZE_MAX); }).items;
  ASSERT_LE(view.messages.size(), whole.size());
  const std::size_t missing = whole.size() - view.messages.size();  // older than the last snapshot reaches
  EXPECT_EQ(view.more, missing > 0);
  for (std::size_t i = 0; i < view.messages.size(); ++i) {
    EXPECT_EQ(view.messages[i].id, whole[missing + i].id);
    EXPECT_EQ(view.messages[i].text, whole[missing + i].text);
    EXPECT_EQ(view.messages[i].status, whole[missing + i].status);
  }
  EXPECT_GT(num_resumed, 200);       // by deltas and events
  EXPECT_GT(view.num_snapshots, 5);  // and by snapshots
  EXPECT_GT(whole.size(), 100u);
}

TEST_F(SubscriptionTest, ASnapshotFitsIntoAFrame) {
  const auto id = create();
  for (int n = 0; n < 6; ++n) send_and_wait(id, 10 + n, std::string(1u << 20, 'x'));
  const auto view = look(id);
  EXPECT_TRUE(view.more);
  EXPECT_LT(view.messages.size(), 10u);
  EXPECT_EQ(view.last().text, "Hello");
}

TEST(MakePresentable, KeepsTheNewestMessagesWithoutTheirIds) {
  sessions::MessagePage page;
  for (int i = 0; i < 5; ++i) {
    page.items.emplace_back();
    page.items.back().text = std::string(1u << 20, static_cast<char>('0' + i));
    page.items.back().token_ids = {1};
  }
  make_presentable(page);
  ASSERT_EQ(page.items.size(), 4u);  // 4 MiB
  EXPECT_TRUE(page.more);
  EXPECT_EQ(page.items[0].text[0], '1');
  for (const MessageView& message : page.items) EXPECT_TRUE(message.token_ids.empty());
  page.items[1].calls.emplace_back().result = std::string(2u << 20, 'r');
  page.items[1].calls.back().output = std::string(9u << 20, 'o');  // does not travel
  make_presentable(page);
  ASSERT_EQ(page.items.size(), 2u);
  page.items.back().text = std::string(5u << 20, 'x');
  make_presentable(page);
  EXPECT_EQ(page.items.size(), 1u);  // the newest, whatever its size
  page = {};
  make_presentable(page);
  EXPECT_FALSE(page.more);
}

}  // namespace
}  // namespace parley::orchestration::turn
