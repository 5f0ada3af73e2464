#include "orchestration/turn/conversation_hub.h"

#include <gtest/gtest.h>

#include "tests/orchestration/turn/hub_fixture.h"

namespace parley::orchestration::turn {
namespace {

using ConversationHubTest = HubTest;

TEST_F(ConversationHubTest, TheListIsPagedNewestUseFirst) {
  for (int n = 1; n <= 5; ++n) create(n);
  send_and_wait(test_uuid(2), 10);
  const auto first = io_.run(hub_->list(std::nullopt, 3));
  ASSERT_EQ(first.items.size(), 3u);
  EXPECT_TRUE(first.more);
  EXPECT_EQ(first.items[0].id, test_uuid(2));
  EXPECT_EQ(first.items[1].id, test_uuid(5));
  const auto rest = io_.run(hub_->list(std::pair(first.items[2].updated_at, first.items[2].id), 3));
  ASSERT_EQ(rest.items.size(), 2u);
  EXPECT_FALSE(rest.more);
  EXPECT_EQ(rest.items[1].id, test_uuid(1));
}

TEST_F(ConversationHubTest, UnknownConversationsAreNotFound) {
  EXPECT_EQ(error_of(try_send(test_uuid(9), 10)).code, Code::not_found);
  EXPECT_EQ(error_of(io_.run(hub_->stop(make_uuid(), test_uuid(9)))).code, Code::not_found);
  EXPECT_EQ(error_of(io_.run(hub_->regenerate(test_uuid(10), test_uuid(9), "m"))).code, Code::not_found);
  EXPECT_EQ(error_of(io_.run(hub_->continue_answer(make_uuid(), test_uuid(9), "m"))).code, Code::not_found);
  EXPECT_EQ(error_of(io_.run(hub_->subscribe(test_uuid(9), std::nullopt))).code, Code::not_found);
  EXPECT_EQ(error_of(io_.run(hub_->older(test_uuid(9), "m", 5))).code, Code::not_found);
}

TEST_F(ConversationHubTest, OlderMessagesComeByPage) {
  options_.snapshot_messages = 3;
  open_hub(tests::fakes::make_memory_store());
  const auto id = create();
  for (int n = 0; n < 4; ++n) send_and_wait(id, 10 + n, "question " + std::to_string(n));
  const auto view = look(id);
  ASSERT_EQ(view.messages.size(), 3u);
  EXPECT_TRUE(view.more);
  const auto page = value_of(io_.run(hub_->older(id, view.messages[0].id, 4)));
  ASSERT_EQ(page.items.size(), 4u);
  EXPECT_TRUE(page.more);
  EXPECT_EQ(page.items[3].id, view.messages[0].parent);
  EXPECT_TRUE(page.items[3].token_ids.empty());
  const auto last = value_of(io_.run(hub_->older(id, page.items[0].id, 4)));
  ASSERT_EQ(last.items.size(), 1u);
  EXPECT_EQ(last.items[0].text, "question 0");
  EXPECT_FALSE(last.more);
  EXPECT_TRUE(value_of(io_.run(hub_->older(id, last.items[0].id, 4))).items.empty());
  EXPECT_EQ(error_of(io_.run(hub_->older(id, "unknown", 4))).code, Code::not_found);
}

TEST_F(ConversationHubTest, EachRunOfTheServerHasItsOwnInstance) {
  const std::string first = hub_->instance();
  EXPECT_EQ(hub_->instance(), first);
  open_hub(tests::fakes::make_memory_store());
  EXPECT_NE(hub_->instance(), first);
}

TEST_F(ConversationHubTest, AfterItsEndEverythingIsRefused) {
  const auto id = create();
  const auto answer = send_and_wait(id, 10);
  io_.run(hub_->shut_down(std::chrono::milliseconds(0)));
  EXPECT_EQ(error_of(try_send(id, 11)).code, Code::unavailable);
  EXPECT_EQ(error_of(io_.run(hub_->create(make_uuid(), test_uuid(2), ""))).code, Code::unavailable);
  EXPECT_EQ(error_of(io_.run(hub_->continue_answer(make_uuid(), id, answer))).code, Code::unavailable);
  EXPECT_EQ(error_of(io_.run(hub_->subscribe(id, std::nullopt))).code, Code::unavailable);
  EXPECT_EQ(error_of(io_.run(hub_->older(id, answer, 5))).code, Code::unavailable);
  EXPECT_TRUE(io_.run(hub_->list(std::nullopt, 5)).items.empty());
  EXPECT_FALSE(hub_->answering(id));
}

}  // namespace
}  // namespace parley::orchestration::turn
