#include "orchestration/turn/resume_calls.h"

#include <algorithm>
#include <memory>
#include <optional>
#include <utility>

#include "orchestration/tools/told_names.h"
#include "orchestration/turn/call_runner.h"
#include "orchestration/turn/command_errors.h"
#include "orchestration/turn/offered_tools.h"
#include "orchestration/turn/run_blocking.h"
#include "orchestration/turn/turn_events.h"

namespace parley::orchestration::turn {
namespace {

namespace asio = boost::asio;
using Code = CommandError::Code;
using sessions::CallState;
using sessions::Message;
using sessions::MessageStatus;
using sessions::ToolCall;

bool has_waiting_call(const Message& message) {
  return std::any_of(message.calls.begin(), message.calls.end(),
                     [](const ToolCall& call) { return call.state == CallState::awaiting_approval; });
}

// Null: it does not wait.
ToolCall* find_waiting(Message& message, const std::string& call) {
  for (ToolCall& one : message.calls) {
    if (one.id == call && one.state == CallState::awaiting_approval) return &one;
  }
  return nullptr;
}

// What is allowed is the tool that the user was shown. Where it is another by now, the call is shown anew and
// waits on. `note` is stored with that.
asio::awaitable<std::optional<CommandError>> check_tool(CorePtr core, LivePtr live, tools::ToolSet offered,
                                                        Message& answer, ToolCall& call,
                                                        std::optional<sessions::AppliedCommand> note) {
  const auto tool = offered.find(call.name);
  if (!tool) {
    co_return command_error(Code::unavailable,
                            "The tool " + tools::told_name(call.name) +
                                " is not there now: it is switched off, or its server is not "
                                "ready. Try again when it is, or deny the call.");
  }
  if (tool->spec().definition_hash == call.definition) co_return std::nullopt;
  CallPlan plan;
  auto make_plan = [&] { plan = plan_call(offered, call.name, call.arguments); };
  co_await run_blocking(core->options.tools->planning_threads(), make_plan);
  if (!plan.problem.empty()) co_return std::nullopt;  // the call fails with that
  call.definition = tool->spec().definition_hash;
  call.source = tool->spec().source;
  call.preview = plan.preview;
  auto update = [&] { core->store.update_message(live->record.id, answer, note); };
  co_await run_blocking(core->store_thread, update);
  publish_message(*core, *live, answer);
  co_return tool_has_changed();
}

}  // namespace

asio::awaitable<CommandResult<Done>> go_on_with_answer(CorePtr core, LivePtr live, TurnPtr turn,
                                                       sessions::AppliedCommand command) {
  auto update = [&] { return core->store.update_message(live->record.id, turn->answer, command); };
  const bool updated = co_await run_blocking(core->store_thread, update);
  if (!updated) co_return id_conflict();
  publish_continued(*core, *live, turn->answer);
  turn->answer.text.clear();
  start_turn(core, live, turn);
  co_return Done();
}

asio::awaitable<CommandResult<Done>> answer_results(CorePtr core, LivePtr live, Message called,
                                                    sessions::AppliedCommand command) {
  if (has_waiting_call(called)) {
    co_return command_error(Code::conflict, "A tool call waits for you. Allow or deny it first.");
  }
  auto turn = std::make_shared<RunningTurn>(core->executor);
  turn->answer = new_answer(*core, make_uuid(), called.id);
  turn->history_leaf = called.id;
  auto add = [&] { return core->store.add_message(live->record.id, turn->answer, command); };
  const bool added = co_await run_blocking(core->store_thread, add);
  if (!added) co_return id_conflict();
  begin_answer(core, live, turn);
  co_return Done();
}

asio::awaitable<CommandResult<Done>> resume_with_decision(CorePtr core, LivePtr live, DecideCommand decide,
                                                          sessions::AppliedCommand command) {
  if (auto error = refuse_turn(*core, *live)) co_return *error;
  co_await save_unsaved(core, live);
  auto look = [&] { return core->store.find_message(live->record.id, decide.message); };
  std::optional<Message> found = co_await run_blocking(core->store_thread, look);
  if (!found) co_return no_such_message();
  ToolCall* const call = find_waiting(*found, decide.call);
  if (call == nullptr) co_return call_does_not_wait();
  if (decide.message != live->record.active_leaf) {
    co_return command_error(Code::conflict, "The conversation has gone on without this call.");
  }
  if (core->options.tools == nullptr) {
    co_return command_error(Code::unavailable, "Tools are switched off on this server.");
  }
  ToolOffer offer = offer_tools(*core, live->record);
  if (decide.decision != CallDecision::deny) {
    // A command that does not say what its user was shown is noted: sent again by itself, after a cut, it
    // must not allow what nobody has looked at.
    std::optional<sessions::AppliedCommand> note;
    if (decide.definition.empty()) note = command;
    auto check = check_tool(core, live, tools::ToolSet(offer.tools), *found, *call, std::move(note));
    auto problem = co_await std::move(check);
    if (problem) co_return *problem;
  }
  auto turn = std::make_shared<RunningTurn>(core->executor);
  turn->answer = *found;
  turn->answer.status = MessageStatus::streaming;
  turn->answer.error.clear();
  turn->history_leaf = decide.message;
  turn->offer = std::move(offer);
  turn->resumes_calls = true;
  turn->decided.emplace(decide.call, decide.decision);
  co_return co_await go_on_with_answer(core, live, turn, command);
}

}  // namespace parley::orchestration::turn
