// Commands of the hub that do not need an answer: create, rename, settings, delete, list, checks.
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "tests/orchestration/turn/hub_fixture.h"

namespace parley::orchestration::turn {
namespace {

using HubCommands = HubTest;

TEST_F(HubCommands, CreatingTwiceIsCreatingOnce) {
  const auto first = io_.run(hub_->create(test_uuid(1), "  My\ttitle\n"));
  EXPECT_EQ(value_of(first).conversation.title, "My title");
  EXPECT_FALSE(value_of(first).answering);
  io_.run(hub_->rename(test_uuid(1), "changed since"));
  const auto again = io_.run(hub_->create(test_uuid(1), "My title"));
  EXPECT_EQ(value_of(again).conversation.title, "changed since");
  EXPECT_EQ(io_.run(hub_->list(std::nullopt, 10)).items.size(), 1u);
}

TEST_F(HubCommands, IdsAndTitlesAreChecked) {
  EXPECT_EQ(error_of(io_.run(hub_->create("not-a-uuid", ""))).code, Code::invalid);
  EXPECT_EQ(error_of(io_.run(hub_->create("00000000-0000-4000-8000-00000000000A", ""))).code, Code::invalid);
  EXPECT_EQ(error_of(io_.run(hub_->create(test_uuid(1), "\xff"))).code, Code::invalid);
  EXPECT_EQ(error_of(io_.run(hub_->create(test_uuid(1), std::string(401, 'x')))).code, Code::too_long);
  create();
  EXPECT_EQ(error_of(io_.run(hub_->rename(test_uuid(1), " \n "))).code, Code::invalid);
  EXPECT_EQ(error_of(io_.run(hub_->rename(test_uuid(1), "\xed\xa0\x80"))).code, Code::invalid);
  EXPECT_EQ(error_of(io_.run(hub_->rename(test_uuid(9), "x"))).code, Code::not_found);
}

TEST_F(HubCommands, RenamingTellsSubscribersAndTheList) {
  const auto id = create();
  FollowingClient client(io_, *hub_, id);
  auto list = hub_->subscribe_list();
  io_.run_until([&] { return client.view().num_snapshots == 1; });
  io_.run(hub_->rename(id, "new"));
  io_.run_until([&] { return client.view().sequence() == 1; });
  EXPECT_EQ(client.view().summary.conversation.title, "new");
  const auto changes = io_.run(list->next());
  ASSERT_EQ(changes.size(), 1u);
  EXPECT_EQ(changes[0].conversation.title, "new");
  EXPECT_EQ(stored(id).title, "new");
}

TEST_F(HubCommands, SettingsAreCheckedAndAbsentOnesStay) {
  const auto id = create();
  SettingsCommand command;
  command.conversation = id;
  for (const double bad : {-0.1, 2.1, std::nan(""), std::numeric_limits<double>::infinity()}) {
    command.temperature = std::optional(bad);
    EXPECT_EQ(error_of(io_.run(hub_->change_settings(command))).code, Code::invalid) << bad;
  }
  command.temperature = std::optional(2.0);
  command.max_tokens = std::optional(0);
  EXPECT_EQ(error_of(io_.run(hub_->change_settings(command))).code, Code::invalid);
  command.max_tokens = std::optional(1);
  command.system_prompt = std::string(65'537, 's');
  EXPECT_EQ(error_of(io_.run(hub_->change_settings(command))).code, Code::too_long);
  command.system_prompt = "\xc3";
  EXPECT_EQ(error_of(io_.run(hub_->change_settings(command))).code, Code::invalid);
  command.system_prompt = "be brief";
  value_of(io_.run(hub_->change_settings(command)));

  SettingsCommand reset;
  reset.conversation = id;
  reset.temperature = std::optional<double>();
  value_of(io_.run(hub_->change_settings(reset)));
  const auto settings = stored(id).settings;
  EXPECT_EQ(settings.system_prompt, "be brief");
  EXPECT_EQ(settings.temperature, std::nullopt);
  EXPECT_EQ(settings.max_tokens, 1);
}

TEST_F(HubCommands, SettingsReachTheModel) {
  const auto id = create();
  SettingsCommand command;
  command.conversation = id;
  command.system_prompt = "be brief";
  command.temperature = std::optional(0.5);
  command.max_tokens = std::optional(17);
  io_.run(hub_->change_settings(command));
  send_and_wait(id, 10);
  const ChatRequest& request = model_.requests.at(0);
  ASSERT_EQ(request.messages.size(), 2u);
  EXPECT_EQ(request.messages[0].role, prompt::Role::system);
  EXPECT_EQ(request.messages[0].text, "be brief");
  EXPECT_EQ(request.options.sampling.temperature, 0.5f);
  EXPECT_EQ(request.options.max_tokens, 17);
  EXPECT_EQ(request.overflow, prompt::Overflow::leave_out_oldest);
}

TEST_F(HubCommands, ADeletedConversationCanBeRestoredUnchanged) {
  const auto id = create(1, "kept");
  const auto answer = send_and_wait(id, 10);
  value_of(io_.run(hub_->set_deleted(id, true)));
  value_of(io_.run(hub_->set_deleted(id, true)));
  EXPECT_TRUE(io_.run(hub_->list(std::nullopt, 10)).items.empty());
  EXPECT_EQ(error_of(try_send(id, 11)).code, Code::not_found);
  EXPECT_EQ(error_of(io_.run(hub_->rename(id, "x"))).code, Code::not_found);
  SettingsCommand settings;
  settings.conversation = id;
  EXPECT_EQ(error_of(io_.run(hub_->change_settings(settings))).code, Code::not_found);
  EXPECT_TRUE(look(id).summary.conversation.deleted);

  value_of(io_.run(hub_->set_deleted(id, false)));
  EXPECT_EQ(io_.run(hub_->list(std::nullopt, 10)).items.size(), 1u);
  EXPECT_EQ(look(id).last().text, "Hello");
  EXPECT_EQ(look(id).last().id, answer);
  send_and_wait(id, 11);
  EXPECT_EQ(error_of(io_.run(hub_->set_deleted(test_uuid(9), true))).code, Code::not_found);
}

TEST_F(HubCommands, TheListIsPagedNewestUseFirst) {
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

TEST_F(HubCommands, AListWatcherGetsTheNewestOfEachConversation) {
  auto list = hub_->subscribe_list();
  create(1);
  create(2);
  io_.run(hub_->rename(test_uuid(1), "once"));
  io_.run(hub_->rename(test_uuid(1), "twice"));
  const auto changes = io_.run(list->next());
  ASSERT_EQ(changes.size(), 2u);
  EXPECT_EQ(changes[0].conversation.id, test_uuid(2));
  EXPECT_EQ(changes[1].conversation.title, "twice");

  send_and_wait(test_uuid(1), 10);
  const auto ended = io_.run(list->next());
  ASSERT_EQ(ended.size(), 1u);
  EXPECT_FALSE(ended[0].answering);
}

TEST_F(HubCommands, ManyConversationsAreForgottenAndFoundAgain) {
  for (int n = 1; n <= 600; ++n) create(n);
  const auto position = look(test_uuid(1)).position(hub_->instance());
  for (int n = 1; n <= 600; ++n) value_of(io_.run(hub_->rename(test_uuid(n), "t" + std::to_string(n))));
  // A number that a client has seen never means something else afterwards.
  FollowingClient client(io_, *hub_, test_uuid(1), position);
  io_.run_until([&] { return client.view().num_snapshots == 1 || client.view().sequence() > 0; });
  EXPECT_EQ(client.view().summary.conversation.title, "t1");
}

TEST_F(HubCommands, UnknownConversationsAreNotFound) {
  EXPECT_EQ(error_of(try_send(test_uuid(9), 10)).code, Code::not_found);
  EXPECT_EQ(error_of(io_.run(hub_->stop(test_uuid(9)))).code, Code::not_found);
  EXPECT_EQ(error_of(io_.run(hub_->regenerate(test_uuid(10), test_uuid(9), "m"))).code, Code::not_found);
  EXPECT_EQ(error_of(io_.run(hub_->continue_answer(test_uuid(9), "m"))).code, Code::not_found);
  EXPECT_EQ(error_of(io_.run(hub_->subscribe(test_uuid(9), std::nullopt))).code, Code::not_found);
  EXPECT_EQ(error_of(io_.run(hub_->older(test_uuid(9), "m", 5))).code, Code::not_found);
}

}  // namespace
}  // namespace parley::orchestration::turn
