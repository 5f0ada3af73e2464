#pragma once
// Every kind of command that changes something, on a conversation with one cut answer, so that one test can
// say the same of all.

#include <array>
#include <ostream>
#include <string>

#include "tests/orchestration/turn/hub_fixture.h"

namespace parley::orchestration::turn {

// What a command finds: conversation 1, whose question 10 has the answer `answer` with the calls 20 and 21,
// and conversation 2.
struct World {
  IoDriver& io;
  fakes::ScriptedChatModel& model;
  ConversationHub& hub;
  std::string answer;
};

inline std::string words_of(const CommandError& error) {
  return error.code == Code::conflict ? "conflict" : error.message;
}
inline std::string words_of(const CommandResult<std::string>& result) {
  const auto* error = std::get_if<CommandError>(&result);
  return error != nullptr ? words_of(*error) : "ok " + std::get<std::string>(result);
}
template <typename T>
std::string words_of(const CommandResult<T>& result) {
  const auto* error = std::get_if<CommandError>(&result);
  return error != nullptr ? words_of(*error) : "ok";
}

using Words = boost::asio::awaitable<std::string>;  // "ok", "ok MESSAGE", "conflict", or what was wrong

inline Words apply_create(World& world, std::string id, std::string title) {
  const auto result = co_await world.hub.create(id, test_uuid(3), title);
  co_return words_of(result);
}
inline Words apply_rename(World& world, std::string id, std::string title) {
  const auto result = co_await world.hub.rename(id, test_uuid(1), title);
  co_return words_of(result);
}
inline Words apply_settings(World& world, std::string id, std::string prompt) {
  SettingsCommand command;
  command.id = id;
  command.conversation = test_uuid(1);
  command.system_prompt = prompt;
  const auto result = co_await world.hub.change_settings(command);
  co_return words_of(result);
}
// `what`: the id of the conversation.
inline Words apply_delete(World& world, std::string id, std::string what) {
  const auto result = co_await world.hub.set_deleted(id, what, true);
  co_return words_of(result);
}
inline Words apply_undelete(World& world, std::string id, std::string what) {
  const auto result = co_await world.hub.set_deleted(id, what, false);
  co_return words_of(result);
}
inline Words apply_stop(World& world, std::string id, std::string what) {
  const auto result = co_await world.hub.stop(id, what);
  co_return words_of(result);
}
inline Words apply_send(World& world, std::string id, std::string text) {
  SendCommand command;
  command.id = id;
  command.conversation = test_uuid(1);
  command.text = text;
  const auto result = co_await world.hub.send(command);
  co_return words_of(result);
}
// `what`: "" for the answer, else the id of another message.
inline Words apply_regenerate(World& world, std::string id, std::string what) {
  const auto result = co_await world.hub.regenerate(id, test_uuid(1), what.empty() ? world.answer : what);
  co_return words_of(result);
}
inline Words apply_continue(World& world, std::string id, std::string what) {
  const auto result =
      co_await world.hub.continue_answer(id, test_uuid(1), what.empty() ? world.answer : what);
  co_return words_of(result);
}

// `what`: the id of the call.
inline Words apply_cancel_call(World& world, std::string id, std::string what) {
  CancelCallCommand command;
  command.id = id;
  command.conversation = test_uuid(1);
  command.message = world.answer;
  command.call = what;
  const auto result = co_await world.hub.cancel_call(command);
  co_return words_of(result);
}

inline void rename_to_third(World& world) { world.io.run(apply_rename(world, make_uuid(), "third")); }
inline void reset_prompt(World& world) { world.io.run(apply_settings(world, make_uuid(), "third")); }
inline void restore(World& world) { world.io.run(apply_undelete(world, make_uuid(), test_uuid(1))); }
inline void remove(World& world) { world.io.run(apply_delete(world, make_uuid(), test_uuid(1))); }
inline void begin_endless_answer(World& world) {
  world.model.answer = [](const ChatRequest&) {
    ChatScript script;
    script.until_cancelled = true;
    return script;
  };
  world.io.run(apply_send(world, make_uuid(), "another"));
  world.io.run_until([&] { return world.model.num_streams() == 1; });
}
inline void nothing(World&) {}

struct CommandKind {
  const char* name;
  Words (*apply)(World& world, std::string id, std::string what);
  std::string what;
  std::string other;     // another `what`
  void (*then)(World&);  // after it: a command applied once more would undo this
};

inline void PrintTo(const CommandKind& kind, std::ostream* out) { *out << kind.name; }

inline const std::array<CommandKind, 10>& command_kinds() {
  static const std::array<CommandKind, 10> kinds = {{
      {"create", apply_create, "title", "other", nothing},
      {"rename", apply_rename, "title", "other", rename_to_third},
      {"delete", apply_delete, test_uuid(1), test_uuid(2), restore},
      {"undelete", apply_undelete, test_uuid(1), test_uuid(2), remove},
      {"settings", apply_settings, "be brief", "be verbose", reset_prompt},
      {"send", apply_send, "question", "other", nothing},
      {"stop", apply_stop, test_uuid(1), test_uuid(2), begin_endless_answer},
      {"regenerate", apply_regenerate, "", test_uuid(10), nothing},
      {"continue", apply_continue, "", test_uuid(10), nothing},
      {"cancel_call", apply_cancel_call, test_uuid(20), test_uuid(21), nothing},
  }};
  return kinds;
}

// All that a command could have changed.
inline std::string state_of(World& world) {
  std::string words = std::to_string(world.model.requests.size()) + " asked; ";
  for (const auto& conversation : world.io.run(world.hub.list(std::nullopt, 100)).items)
    words += conversation.id + " " + conversation.title + " " + conversation.settings.system_prompt + "; ";
  words += world.hub.answering(test_uuid(1)) ? "answering: " : "idle: ";
  auto subscribed = world.io.run(world.hub.subscribe(test_uuid(1), std::nullopt));
  ClientView view;
  view.apply(world.io.run(std::get<std::unique_ptr<Subscription>>(subscribed)->next()));
  for (const MessageView& message : view.messages) {
    words += message.id + " '" + message.text + "' " + std::to_string(static_cast<int>(message.status)) +
             " " + std::to_string(message.epoch) + "; ";
  }
  return words;
}

}  // namespace parley::orchestration::turn
