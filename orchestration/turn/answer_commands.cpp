#include "orchestration/turn/answer_commands.h"

#include <algorithm>
#include <optional>
#include <utility>

#include "orchestration/turn/chat_history.h"
#include "orchestration/turn/command_checks.h"
#include "orchestration/turn/command_errors.h"
#include "orchestration/turn/repeated_command.h"
#include "orchestration/turn/resume_calls.h"
#include "orchestration/turn/run_blocking.h"
#include "orchestration/turn/running_turn.h"
#include "orchestration/turn/title.h"
#include "orchestration/turn/turn_events.h"

namespace parley::orchestration::turn {
namespace {

namespace asio = boost::asio;
using Code = CommandError::Code;
using sessions::AppliedCommand;
using sessions::Message;
using sessions::MessageStatus;
using sessions::Role;

std::int64_t hash_of_send(const SendCommand& command) {
  const std::string parent = command.parent ? "=" + *command.parent : "absent";
  return content_hash({"send", command.conversation, command.text, parent});
}

Message new_question(HubCore& core, SendCommand send, std::string parent) {
  Message question;
  question.id = std::move(send.id);
  question.parent = std::move(parent);
  question.text = std::move(send.text);
  question.created_at = core.now();
  return question;
}

bool can_be_continued(const Message& answer) {
  if (answer.role != Role::assistant) return false;
  switch (answer.status) {
    case MessageStatus::stopped:
    case MessageStatus::interrupted:
      return true;
    case MessageStatus::failed:
      return !answer.text.empty() || !answer.calls.empty();
    case MessageStatus::complete:
      return answer.stop_reason == "length" || answer.stop_reason == "tool_calls";
    case MessageStatus::streaming:
      return false;
  }
  return false;
}

// Has the model go on with turn->answer. None: it does; else the answer stays as it is.
asio::awaitable<std::optional<CommandError>> ask_to_go_on(CorePtr core, LivePtr live, TurnPtr turn) {
  const std::optional<ChatRejection> rejection = co_await ask_model(core, live, turn);
  if (rejection) co_return command_error(Code::unavailable, rejection->message);
  co_return refuse_turn(*core, *live);  // much may have happened meanwhile
}

// As it is while it goes on.
Message continued(const HubCore& core, const RunningTurn& turn) {
  Message answer = turn.answer;
  answer.status = MessageStatus::streaming;
  answer.error.clear();
  answer.stop_reason.clear();
  answer.model = core.model.info().name;
  if (answer.text.empty()) answer.token_ids.clear();  // those of an unfinished character
  if (const auto ids = turn.stream->continued_ids()) answer.token_ids = *ids;
  return answer;
}

}  // namespace

asio::awaitable<CommandResult<std::string>> send_message(CorePtr core, SendCommand send) {
  auto turn = std::make_shared<RunningTurn>(core->executor);
  if (auto error = check_send(send, core->options.limits)) co_return *error;
  AppliedCommand command = note_of(*core, send.id, hash_of_send(send));
  LivePtr live = co_await HubCore::open(core, send.conversation);
  if (!live) co_return no_such_conversation();
  auto guard = co_await live->lock.acquire();
  if (auto repeated = co_await find_repeated(core, command)) co_return *repeated;
  if (auto error = refuse_turn(*core, *live)) co_return *error;
  const std::string parent = send.parent.value_or(live->record.active_leaf);
  auto look = [&] { return parent.empty() || core->store.find_message(send.conversation, parent); };
  const bool has_parent = co_await run_blocking(core->store_thread, look);
  if (!has_parent) co_return no_such_message();
  co_await save_unsaved(core, live);

  const Message question = new_question(*core, std::move(send), parent);
  turn->answer = new_answer(*core, make_uuid(), question.id);
  command.message = turn->answer.id;
  turn->history_leaf = question.id;
  const bool untitled = live->record.title.empty();
  const std::string title = untitled ? title_from(question.text) : live->record.title;
  auto add = [&] { return core->store.add_turn(live->record.id, title, question, turn->answer, command); };
  const bool added = co_await run_blocking(core->store_thread, add);
  if (!added) co_return id_conflict();

  live->record.title = title;
  publish_added(*core, *live, question);
  begin_answer(core, live, turn);
  if (untitled) core->publish_changed(*live);
  co_return turn->answer.id;
}

asio::awaitable<CommandResult<std::string>> regenerate_answer(CorePtr core, std::string command_id,
                                                              std::string conversation, std::string message) {
  auto turn = std::make_shared<RunningTurn>(core->executor);
  AppliedCommand command = note_of(*core, command_id, content_hash({"regenerate", conversation, message}));
  command.message = command_id;
  LivePtr live = co_await HubCore::open(core, conversation);
  if (!live) co_return no_such_conversation();
  auto guard = co_await live->lock.acquire();
  if (auto repeated = co_await find_repeated(core, command)) co_return *repeated;
  auto look = [&] { return core->store.find_message(conversation, message); };
  const std::optional<Message> target = co_await run_blocking(core->store_thread, look);
  if (!target) co_return no_such_message();
  if (target->role != Role::assistant) {
    co_return command_error(Code::invalid, "Only an answer can be generated again.");
  }
  if (auto error = refuse_turn(*core, *live)) co_return *error;
  co_await save_unsaved(core, live);

  turn->answer = new_answer(*core, command_id, target->parent);
  turn->history_leaf = target->parent;
  auto add = [&] { return core->store.add_message(conversation, turn->answer, command); };
  const bool added = co_await run_blocking(core->store_thread, add);
  if (!added) co_return id_conflict();
  begin_answer(core, live, turn);
  co_return command_id;
}

asio::awaitable<CommandResult<Done>> continue_answer(CorePtr core, std::string command_id,
                                                     std::string conversation, std::string message) {
  auto turn = std::make_shared<RunningTurn>(core->executor);
  const AppliedCommand command =
      note_of(*core, std::move(command_id), content_hash({"continue", conversation, message}));
  LivePtr live = co_await HubCore::open(core, conversation);
  if (!live) co_return no_such_conversation();
  auto guard = co_await live->lock.acquire();
  if (const auto repeated = co_await find_repeated(core, command)) co_return without_message(*repeated);
  const bool under_way = live->turn && live->turn->history_leaf == message;
  if (under_way) co_return co_await remember(core, command);  // another tab's command began it
  if (auto error = refuse_turn(*core, *live)) co_return *error;
  co_await save_unsaved(core, live);
  auto look = [&] { return core->store.find_message(conversation, message); };
  const std::optional<Message> cut = co_await run_blocking(core->store_thread, look);
  if (!cut) co_return no_such_message();
  if (message != live->record.active_leaf || !can_be_continued(*cut)) {
    co_return command_error(Code::invalid, "Only the newest answer can go on, and only if it was cut short.");
  }
  if (!cut->calls.empty()) co_return co_await answer_results(core, live, *cut, command);

  turn->answer = *cut;
  turn->history_leaf = message;
  turn->goes_on = true;
  if (ends_in_reasoning(*cut)) turn->text.go_on_reasoning();
  const std::optional<CommandError> refusal = co_await ask_to_go_on(core, live, turn);
  if (refusal) co_return *refusal;
  turn->answer = continued(*core, *turn);
  co_return co_await go_on_with_answer(core, live, turn, command);
}

asio::awaitable<CommandResult<Done>> stop_answer(CorePtr core, std::string command_id,
                                                 std::string conversation) {
  const AppliedCommand command = note_of(*core, std::move(command_id), content_hash({"stop", conversation}));
  LivePtr live = co_await HubCore::open(core, conversation);
  if (!live) co_return no_such_conversation();
  // Behind a `send` that is under way, so that a stop right after it stops its answer.
  auto guard = co_await live->lock.acquire();
  const auto repeated = co_await find_repeated(core, command);
  TurnPtr turn = live->turn;
  if (turn && repeated && !turn->stop_requested) turn.reset();  // a later one, which was not meant
  // First, so that a disk that is full does not keep the answer running. The end of the answer is stored
  // behind the note of the command, because that takes the lock; a crash in between ends the answer as well.
  if (turn) turn->request_stop(MessageStatus::stopped);
  CommandResult<Done> result;
  if (repeated) {
    result = without_message(*repeated);
  } else {
    result = co_await remember(core, command);
  }
  guard.release();
  const bool stopping = turn && std::holds_alternative<Done>(result);
  if (stopping) co_await stop_turn(turn, MessageStatus::stopped, kStopPatience);
  co_return result;
}

}  // namespace parley::orchestration::turn
