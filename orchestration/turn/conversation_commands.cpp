#include "orchestration/turn/conversation_commands.h"

#include <utility>

#include "orchestration/turn/command_checks.h"
#include "orchestration/turn/command_errors.h"
#include "orchestration/turn/run_blocking.h"
#include "orchestration/turn/running_turn.h"
#include "orchestration/turn/title.h"

namespace parley::orchestration::turn {
namespace {

namespace asio = boost::asio;
using Code = CommandError::Code;
using sessions::Conversation;

// Stores the changed record, then tells everybody. With the conversation's lock held.
asio::awaitable<void> store_record(CorePtr core, LivePtr live, Conversation changed) {
  auto work = [&] { return core->store.update(changed); };
  co_await run_blocking(core->store_thread, work);
  live->record = std::move(changed);
  core->publish_changed(*live);
}

void apply(const SettingsCommand& command, sessions::ChatSettings& settings) {
  if (command.system_prompt) settings.system_prompt = *command.system_prompt;
  if (command.temperature) settings.temperature = *command.temperature;
  if (command.max_tokens) settings.max_tokens = *command.max_tokens;
}

}  // namespace

asio::awaitable<CommandResult<ConversationSummary>> create_conversation(CorePtr core, std::string id,
                                                                        std::string title) {
  if (auto error = check_create(id, title, core->options.limits)) co_return *error;
  Conversation conversation;
  conversation.id = id;
  conversation.title = tidy_title(title);
  conversation.created_at = core->now();
  conversation.updated_at = conversation.created_at;
  auto work = [&] { return core->store.create(conversation); };
  const bool created = co_await run_blocking(core->store_thread, work);
  LivePtr live = co_await HubCore::open(core, id);
  if (!live) co_return no_such_conversation();
  if (created) core->announce(*live);
  co_return live->summary();
}

asio::awaitable<CommandResult<Done>> rename_conversation(CorePtr core, std::string conversation,
                                                         std::string title) {
  if (auto error = check_title(title, core->options.limits)) co_return *error;
  LivePtr live = co_await HubCore::open(core, conversation);
  if (!live) co_return no_such_conversation();
  auto guard = co_await live->lock.acquire();
  if (live->record.deleted) co_return conversation_is_deleted();
  Conversation changed = live->record;
  changed.title = tidy_title(title);
  if (changed.title != live->record.title) co_await store_record(core, live, std::move(changed));
  co_return Done();
}

asio::awaitable<CommandResult<Done>> delete_conversation(CorePtr core, std::string conversation) {
  LivePtr live = co_await HubCore::open(core, conversation);
  if (!live) co_return no_such_conversation();
  for (;;) {
    auto guard = co_await live->lock.acquire();
    if (live->record.deleted) co_return Done();
    if (!live->turn) {
      Conversation changed = live->record;
      changed.deleted = true;
      co_await store_record(core, live, std::move(changed));
      co_return Done();
    }
    TurnPtr turn = live->turn;
    guard.release();  // the turn needs it to end
    const bool ended = co_await stop_turn(turn, sessions::MessageStatus::stopped, kStopPatience);
    if (!ended) {
      co_return command_error(Code::busy, "The answer could not be stopped yet. Try again in a moment.");
    }
  }
}

asio::awaitable<CommandResult<Done>> restore_conversation(CorePtr core, std::string conversation) {
  LivePtr live = co_await HubCore::open(core, conversation);
  if (!live) co_return no_such_conversation();
  auto guard = co_await live->lock.acquire();
  Conversation changed = live->record;
  changed.deleted = false;
  if (live->record.deleted) co_await store_record(core, live, std::move(changed));
  co_return Done();
}

asio::awaitable<CommandResult<Done>> change_chat_settings(CorePtr core, SettingsCommand command) {
  if (auto error = check_settings(command, core->options.limits)) co_return *error;
  LivePtr live = co_await HubCore::open(core, command.conversation);
  if (!live) co_return no_such_conversation();
  auto guard = co_await live->lock.acquire();
  if (live->record.deleted) co_return conversation_is_deleted();
  Conversation changed = live->record;
  apply(command, changed.settings);
  co_await store_record(core, live, std::move(changed));
  co_return Done();
}

}  // namespace parley::orchestration::turn
