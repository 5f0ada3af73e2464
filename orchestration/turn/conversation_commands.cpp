#include "orchestration/turn/conversation_commands.h"

#include <bit>
#include <cstdint>
#include <optional>
#include <string>
#include <type_traits>
#include <utility>

#include "orchestration/turn/chat_read_ahead.h"
#include "orchestration/turn/command_checks.h"
#include "orchestration/turn/command_errors.h"
#include "orchestration/turn/repeated_command.h"
#include "orchestration/turn/run_blocking.h"
#include "orchestration/turn/running_turn.h"
#include "orchestration/turn/title.h"

namespace parley::orchestration::turn {
namespace {

namespace asio = boost::asio;
using Code = CommandError::Code;
using sessions::AppliedCommand;
using sessions::Conversation;

// Stores the record that the command has changed, then tells everybody. With the conversation's lock held.
asio::awaitable<CommandResult<Done>> store_record(CorePtr core, LivePtr live, Conversation changed,
                                                  AppliedCommand command) {
  auto work = [&] { return core->store.update(changed, command); };
  const bool stored = co_await run_blocking(core->store_thread, work);
  if (!stored) co_return id_conflict();
  live->record = std::move(changed);
  core->publish_changed(*live);
  read_ahead(core, live);
  co_return Done();
}

struct Creation {
  bool created = false;
  std::optional<AppliedCommand> earlier;  // of the command's id
};

// In one visit to the store: there is no lock yet that would hold back the same command of another socket.
Creation create_once(sessions::SessionStore& store, const Conversation& conversation,
                     const AppliedCommand& command) {
  Creation creation;
  creation.earlier = store.find_command(command.id);
  if (creation.earlier) return creation;
  creation.created = store.create(conversation, command);
  if (!creation.created) store.remember(command);
  return creation;
}

void apply(const SettingsCommand& command, sessions::ChatSettings& settings) {
  if (command.system_prompt) settings.system_prompt = *command.system_prompt;
  if (command.temperature) settings.temperature = *command.temperature;
  if (command.max_tokens) settings.max_tokens = *command.max_tokens;
  if (command.tools) settings.tools = *command.tools;
}

// A setting as a field of the hash: absent, back to the default, or the value bit by bit.
template <typename T>
std::string hashed_setting(const std::optional<std::optional<T>>& setting) {
  if (!setting) return "absent";
  if (!*setting) return "default";
  if constexpr (std::is_same_v<T, double>) {
    return std::to_string(std::bit_cast<std::uint64_t>(**setting));
  } else {
    return std::to_string(**setting);
  }
}

std::string hashed_tools(const std::optional<std::vector<std::string>>& tools) {
  if (!tools) return "default";
  std::string names = "=";
  for (const std::string& name : *tools) names += name + "\n";
  return names;
}

std::int64_t hash_of_settings(const SettingsCommand& command) {
  const std::string prompt = command.system_prompt ? "=" + *command.system_prompt : "absent";
  const std::string temperature = hashed_setting(command.temperature);
  const std::string max_tokens = hashed_setting(command.max_tokens);
  // Without tools as it was before there were any: hashes are stored.
  if (!command.tools)
    return content_hash({"settings", command.conversation, prompt, temperature, max_tokens});
  return content_hash(
      {"settings", command.conversation, prompt, temperature, max_tokens, hashed_tools(*command.tools)});
}

}  // namespace

asio::awaitable<CommandResult<ConversationSummary>> create_conversation(CorePtr core, std::string command_id,
                                                                        std::string conversation,
                                                                        std::string title) {
  if (auto error = check_command_id(command_id)) co_return *error;
  if (auto error = check_create(conversation, title, core->options.limits)) co_return *error;
  const AppliedCommand command = note_of(*core, command_id, content_hash({"create", conversation, title}));
  Conversation record;
  record.id = conversation;
  record.title = tidy_title(title);
  record.created_at = core->now();
  record.updated_at = record.created_at;
  auto work = [&] { return create_once(core->store, record, command); };
  const Creation creation = co_await run_blocking(core->store_thread, work);
  if (creation.earlier && creation.earlier->content_hash != command.content_hash) co_return id_conflict();
  LivePtr live = co_await HubCore::open(core, conversation);
  if (!live) co_return no_such_conversation();
  if (creation.created) core->announce(*live);
  co_return live->summary();
}

asio::awaitable<CommandResult<Done>> rename_conversation(CorePtr core, std::string command_id,
                                                         std::string conversation, std::string title) {
  const AppliedCommand command =
      note_of(*core, std::move(command_id), content_hash({"rename", conversation, title}));
  if (auto error = check_title(title, core->options.limits)) co_return *error;
  LivePtr live = co_await HubCore::open(core, conversation);
  if (!live) co_return no_such_conversation();
  auto guard = co_await live->lock.acquire();
  if (const auto repeated = co_await find_repeated(core, command)) co_return without_message(*repeated);
  if (live->record.deleted) co_return conversation_is_deleted();
  Conversation changed = live->record;
  changed.title = tidy_title(title);
  if (changed.title == live->record.title) co_return co_await remember(core, command);
  co_return co_await store_record(core, live, std::move(changed), command);
}

asio::awaitable<CommandResult<Done>> delete_conversation(CorePtr core, std::string command_id,
                                                         std::string conversation) {
  const AppliedCommand command =
      note_of(*core, std::move(command_id), content_hash({"delete", conversation}));
  LivePtr live = co_await HubCore::open(core, conversation);
  if (!live) co_return no_such_conversation();
  for (;;) {
    auto guard = co_await live->lock.acquire();
    if (const auto repeated = co_await find_repeated(core, command)) co_return without_message(*repeated);
    if (live->record.deleted) co_return co_await remember(core, command);
    if (!live->turn) {
      Conversation changed = live->record;
      changed.deleted = true;
      auto deleted = co_await store_record(core, live, std::move(changed), command);
      const bool forgets = std::holds_alternative<Done>(deleted) && core->options.tools != nullptr;
      if (forgets) core->options.tools->forget_chat(live->record.id);
      co_return deleted;
    }
    TurnPtr turn = live->turn;
    guard.release();  // the turn needs it to end
    const bool ended = co_await stop_turn(turn, sessions::MessageStatus::stopped, kStopPatience);
    if (!ended) {
      co_return command_error(Code::busy, "The answer could not be stopped yet. Try again in a moment.");
    }
  }
}

asio::awaitable<CommandResult<Done>> restore_conversation(CorePtr core, std::string command_id,
                                                          std::string conversation) {
  const AppliedCommand command =
      note_of(*core, std::move(command_id), content_hash({"undelete", conversation}));
  LivePtr live = co_await HubCore::open(core, conversation);
  if (!live) co_return no_such_conversation();
  auto guard = co_await live->lock.acquire();
  if (const auto repeated = co_await find_repeated(core, command)) co_return without_message(*repeated);
  if (!live->record.deleted) co_return co_await remember(core, command);
  Conversation changed = live->record;
  changed.deleted = false;
  co_return co_await store_record(core, live, std::move(changed), command);
}

asio::awaitable<CommandResult<Done>> change_chat_settings(CorePtr core, SettingsCommand change) {
  const AppliedCommand command = note_of(*core, change.id, hash_of_settings(change));
  if (auto error = check_settings(change, core->options.limits)) co_return *error;
  LivePtr live = co_await HubCore::open(core, change.conversation);
  if (!live) co_return no_such_conversation();
  auto guard = co_await live->lock.acquire();
  if (const auto repeated = co_await find_repeated(core, command)) co_return without_message(*repeated);
  if (live->record.deleted) co_return conversation_is_deleted();
  Conversation changed = live->record;
  apply(change, changed.settings);
  co_return co_await store_record(core, live, std::move(changed), command);
}

}  // namespace parley::orchestration::turn
