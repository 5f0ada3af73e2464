// Commands that do not need an answer: create, rename, settings, delete, restore.
#include "orchestration/turn/conversation_commands.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "tests/orchestration/turn/hub_fixture.h"

namespace parley::orchestration::turn {
namespace {

using ConversationCommands = HubTest;

TEST_F(ConversationCommands, CreatingTwiceIsCreatingOnce) {
  const auto first = io_.run(hub_->create(make_uuid(), test_uuid(1), "  My\ttitle\n"));
  EXPECT_EQ(value_of(first).conversation.title, "My title");
  EXPECT_FALSE(value_of(first).answering);
  io_.run(hub_->rename(make_uuid(), test_uuid(1), "changed since"));
  const auto again = io_.run(hub_->create(make_uuid(), test_uuid(1), "My title"));
  EXPECT_EQ(value_of(again).conversation.title, "changed since");
  EXPECT_EQ(io_.run(hub_->list(std::nullopt, 10)).items.size(), 1u);
}

TEST_F(ConversationCommands, IdsAndTitlesAreChecked) {
  EXPECT_EQ(error_of(io_.run(hub_->create(make_uuid(), "not-a-uuid", ""))).code, Code::invalid);
  EXPECT_EQ(error_of(io_.run(hub_->create(make_uuid(), "00000000-0000-4000-8000-00000000000A", ""))).code,
            Code::invalid);
  EXPECT_EQ(error_of(io_.run(hub_->create(make_uuid(), test_uuid(1), "\xff"))).code, Code::invalid);
  EXPECT_EQ(error_of(io_.run(hub_->create(make_uuid(), test_uuid(1), std::string(401, 'x')))).code,
            Code::too_long);
  create();
  EXPECT_EQ(error_of(io_.run(hub_->rename(make_uuid(), test_uuid(1), " \n "))).code, Code::invalid);
  EXPECT_EQ(error_of(io_.run(hub_->rename(make_uuid(), test_uuid(1), "\xed\xa0\x80"))).code, Code::invalid);
  EXPECT_EQ(error_of(io_.run(hub_->rename(make_uuid(), test_uuid(9), "x"))).code, Code::not_found);
}

TEST_F(ConversationCommands, RenamingTellsSubscribersAndTheList) {
  const auto id = create();
  FollowingClient client(io_, *hub_, id);
  auto list = hub_->subscribe_list();
  io_.run_until([&] { return client.view().num_snapshots == 1; });
  io_.run(hub_->rename(make_uuid(), id, "new"));
  io_.run_until([&] { return client.view().sequence() == 1; });
  EXPECT_EQ(client.view().summary.conversation.title, "new");
  const auto changes = io_.run(list->next());
  ASSERT_EQ(changes.size(), 1u);
  EXPECT_EQ(changes[0].conversation.title, "new");
  EXPECT_EQ(stored(id).title, "new");
}

TEST_F(ConversationCommands, SettingsAreCheckedAndAbsentOnesStay) {
  const auto id = create();
  SettingsCommand command;
  command.id = make_uuid();
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
  reset.id = make_uuid();
  reset.conversation = id;
  reset.temperature = std::optional<double>();
  value_of(io_.run(hub_->change_settings(reset)));
  const auto settings = stored(id).settings;
  EXPECT_EQ(settings.system_prompt, "be brief");
  EXPECT_EQ(settings.temperature, std::nullopt);
  EXPECT_EQ(settings.max_tokens, 1);
}

TEST_F(ConversationCommands, ToolsAreSwitchedOnAndBackToTheDefault) {
  using Names = std::vector<std::string>;
  const auto id = create();
  SettingsCommand command;
  command.id = make_uuid();
  command.conversation = id;
  command.tools = std::optional(Names{"calculator", "weather"});
  value_of(io_.run(hub_->change_settings(command)));
  EXPECT_EQ(stored(id).settings.tools, (Names{"calculator", "weather"}));
  EXPECT_EQ(look(id).summary.conversation.settings.tools, (Names{"calculator", "weather"}));
  value_of(io_.run(hub_->change_settings(command)));  // again
  command.tools = std::optional(Names{"calculator"});
  EXPECT_EQ(error_of(io_.run(hub_->change_settings(command))).code, Code::conflict);
  command.tools = std::optional<Names>();
  EXPECT_EQ(error_of(io_.run(hub_->change_settings(command))).code, Code::conflict);
  command.id = make_uuid();
  value_of(io_.run(hub_->change_settings(command)));
  EXPECT_EQ(stored(id).settings.tools, std::nullopt);
  command.id = make_uuid();
  command.tools.reset();
  command.system_prompt = "be brief";
  value_of(io_.run(hub_->change_settings(command)));
  EXPECT_EQ(stored(id).settings.tools, std::nullopt);
}

TEST_F(ConversationCommands, SettingsReachTheModel) {
  const auto id = create();
  SettingsCommand command;
  command.id = make_uuid();
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

TEST_F(ConversationCommands, ADeletedConversationCanBeRestoredUnchanged) {
  const auto id = create(1, "kept");
  const auto answer = send_and_wait(id, 10);
  value_of(io_.run(hub_->set_deleted(make_uuid(), id, true)));
  value_of(io_.run(hub_->set_deleted(make_uuid(), id, true)));
  EXPECT_TRUE(io_.run(hub_->list(std::nullopt, 10)).items.empty());
  EXPECT_EQ(error_of(try_send(id, 11)).code, Code::not_found);
  EXPECT_EQ(error_of(io_.run(hub_->rename(make_uuid(), id, "x"))).code, Code::not_found);
  SettingsCommand settings;
  settings.id = make_uuid();
  settings.conversation = id;
  EXPECT_EQ(error_of(io_.run(hub_->change_settings(settings))).code, Code::not_found);
  EXPECT_TRUE(look(id).summary.conversation.deleted);

  value_of(io_.run(hub_->set_deleted(make_uuid(), id, false)));
  EXPECT_EQ(io_.run(hub_->list(std::nullopt, 10)).items.size(), 1u);
  EXPECT_EQ(look(id).last().text, "Hello");
  EXPECT_EQ(look(id).last().id, answer);
  send_and_wait(id, 11);
  EXPECT_EQ(error_of(io_.run(hub_->set_deleted(make_uuid(), test_uuid(9), true))).code, Code::not_found);
}

}  // namespace
}  // namespace parley::orchestration::turn
