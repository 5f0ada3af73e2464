#include "orchestration/turn/hub_core.h"

#include <gtest/gtest.h>

#include <string>

#include "orchestration/turn/running_turn.h"
#include "tests/orchestration/turn/core_fixture.h"
#include "tests/orchestration/turn/hub_fixture.h"

namespace parley::orchestration::turn {
namespace {

using HubCoreTest = CoreTest;

TEST_F(HubCoreTest, AConversationIsInMemoryOnce) {
  const LivePtr live = open("c");
  ASSERT_NE(live, nullptr);
  EXPECT_EQ(live->record.id, "c");
  EXPECT_EQ(open("c"), live);
  EXPECT_EQ(core_->find("c"), live);
  EXPECT_EQ(core_->find("other"), nullptr);
  EXPECT_EQ(io_.run(HubCore::open(core_, "other")), nullptr);
}

TEST_F(HubCoreTest, TwoWhoOpenItAtOnceGetTheSame) {
  sessions::Conversation conversation;
  conversation.id = "c";
  store().create(conversation);
  std::vector<LivePtr> opened;
  const auto note = [&](std::exception_ptr, LivePtr live) { opened.push_back(std::move(live)); };
  boost::asio::co_spawn(io_.io(), HubCore::open(core_, "c"), note);
  boost::asio::co_spawn(io_.io(), HubCore::open(core_, "c"), note);
  io_.run_until([&] { return opened.size() == 2; });
  EXPECT_NE(opened[0], nullptr);
  EXPECT_EQ(opened[0], opened[1]);
}

TEST_F(HubCoreTest, AStoreThatFailsThrowsAndIsAskedAgain) {
  store_.fail_reads = true;
  EXPECT_THROW(io_.run(HubCore::open(core_, "c")), sessions::StoreError);
  store_.fail_reads = false;
  EXPECT_NE(open("c"), nullptr);
}

TEST_F(HubCoreTest, IdleConversationsAreForgottenBeyondALimit) {
  const LivePtr held = open("held");
  for (int i = 0; i < 300; ++i) open("c" + std::to_string(i));
  EXPECT_LE(core_->conversations().size(), 257u);
  EXPECT_EQ(core_->find("held"), held);
}

TEST_F(HubCoreTest, ConversationsThatAnswerAreNotForgotten) {
  for (int i = 0; i < 300; ++i) {
    const LivePtr live = open("c" + std::to_string(i));
    live->turn = std::make_shared<RunningTurn>(core_->executor);
  }
  EXPECT_EQ(core_->conversations().size(), 300u);
}

TEST_F(HubCoreTest, EventNumbersGoOnAfterForgetting) {
  {
    const LivePtr live = open("first");
    core_->publish_changed(*live);
    core_->publish_changed(*live);
    EXPECT_EQ(live->log.last_sequence(), 2u);
  }
  EXPECT_EQ(open("second")->log.last_sequence(), 2u);  // as if it were the first, forgotten and found again
}

TEST_F(HubCoreTest, TimesRise) {
  sessions::UnixMillis before = core_->now();
  EXPECT_GT(before, 1'700'000'000'000);  // milliseconds since 1970
  for (int i = 0; i < 1000; ++i) {
    const sessions::UnixMillis now = core_->now();
    ASSERT_GT(now, before);
    before = now;
  }
}

TEST_F(HubCoreTest, ActivitiesAreCountedAndTheirEndIsTold) {
  EXPECT_EQ(core_->activities(), 0u);
  bool told = false;
  {
    const HubCore::Activity one(core_);
    const HubCore::Activity two(core_);
    EXPECT_EQ(core_->activities(), 2u);
    boost::asio::co_spawn(io_.io(), core_->activity_ended.wait(), [&](std::exception_ptr) { told = true; });
    io_.io().poll();
    EXPECT_FALSE(told);
  }
  EXPECT_EQ(core_->activities(), 0u);
  io_.run_until([&] { return told; });
}

TEST_F(HubCoreTest, LinesGoToTheLogIfThereIsOne) {
  core_->log("line");
  EXPECT_EQ(logged_, std::vector<std::string>{"line"});
  options_.log = nullptr;
  make_core();
  core_->log("nobody reads this");
  EXPECT_EQ(logged_.size(), 1u);
}

using ManyConversations = HubTest;

TEST_F(ManyConversations, AreForgottenAndFoundAgain) {
  for (int n = 1; n <= 600; ++n) create(n);
  const auto position = look(test_uuid(1)).position(hub_->instance());
  for (int n = 1; n <= 600; ++n)
    value_of(io_.run(hub_->rename(make_uuid(), test_uuid(n), "t" + std::to_string(n))));
  // A number that a client has seen never means something else afterwards.
  FollowingClient client(io_, *hub_, test_uuid(1), position);
  io_.run_until([&] { return client.view().num_snapshots == 1 || client.view().sequence() > 0; });
  EXPECT_EQ(client.view().summary.conversation.title, "t1");
}

}  // namespace
}  // namespace parley::orchestration::turn
