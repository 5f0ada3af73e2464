#include "orchestration/turn/call_commands.h"

#include <algorithm>
#include <utility>
#include <variant>

#include "orchestration/turn/command_errors.h"
#include "orchestration/turn/repeated_command.h"
#include "orchestration/turn/resume_calls.h"
#include "orchestration/turn/run_blocking.h"

namespace parley::orchestration::turn {
namespace {

namespace asio = boost::asio;
using Code = CommandError::Code;
using sessions::AppliedCommand;
using sessions::CallState;
using sessions::OutputPiece;
using sessions::ToolCall;

constexpr std::size_t kPieceBytes = std::size_t{256} << 10;

// Stored with commands: never changed.
std::string_view word_of(CallDecision decision) {
  switch (decision) {
    case CallDecision::once:
      return "once";
    case CallDecision::chat:
      return "chat";
    case CallDecision::always:
      return "always";
    case CallDecision::deny:
      break;
  }
  return "deny";
}

std::int64_t hash_of_decide(const DecideCommand& decide) {
  const std::string_view word = word_of(decide.decision);
  if (decide.definition.empty())  // as it was before clients said it
    return content_hash({"decide", decide.conversation, decide.message, decide.call, word});
  return content_hash({"decide", decide.conversation, decide.message, decide.call, word, decide.definition});
}

std::int64_t hash_of_cancel(const CancelCallCommand& cancel) {
  return content_hash({"cancel_call", cancel.conversation, cancel.message, cancel.call});
}

CommandError no_such_call() {
  return command_error(Code::not_found, "There is no such call in this message. Reload the conversation.");
}

struct FoundCall {
  ToolCall call;
  int index = 0;
};

// The call as memory knows it, else as it is stored.
asio::awaitable<CommandResult<FoundCall>> find_call(CorePtr core, LivePtr live, std::string message,
                                                    std::string call) {
  auto look = [&] { return core->store.find_message(live->record.id, message); };
  std::optional<sessions::Message> answer = co_await run_blocking(core->store_thread, look);
  if (!answer) co_return no_such_message();
  live->overlay(*answer);
  const auto found = std::find_if(answer->calls.begin(), answer->calls.end(),
                                  [&](const ToolCall& one) { return one.id == call; });
  if (found == answer->calls.end()) co_return no_such_call();
  FoundCall result;
  result.index = static_cast<int>(found - answer->calls.begin());
  result.call = std::move(*found);
  co_return result;
}

// Allowed is what the user was shown. Another tab's decision may have been on its way when the call was shown
// anew; denied it is as well.
bool is_of_another_tool(const DecideCommand& decide, const ToolCall& call) {
  return decide.decision != CallDecision::deny && !decide.definition.empty() &&
         call.state == CallState::awaiting_approval && decide.definition != call.definition;
}

void show_anew(HubCore& core, LiveConversation& live, const std::string& message, const FoundCall& found) {
  CallChanged event;
  event.message = message;
  event.index = found.index;
  event.call.call = without_bulk(found.call);
  core.publish(live, std::move(event));
}

// Why no turn can be resumed for this call.
std::optional<CommandError> refuse_decision(const HubCore& core, const LiveConversation& live,
                                            const ToolCall& call) {
  if (call.state != CallState::awaiting_approval) {
    return call_does_not_wait();
  }
  if (live.turn) return still_answering();
  if (core.closing) return server_is_shutting_down();
  return std::nullopt;
}

}  // namespace

asio::awaitable<CommandResult<Done>> decide_call(CorePtr core, DecideCommand decide) {
  const AppliedCommand command = note_of(*core, decide.id, hash_of_decide(decide));
  LivePtr live = co_await HubCore::open(core, decide.conversation);
  if (!live) co_return no_such_conversation();
  auto guard = co_await live->lock.acquire();
  if (const auto repeated = co_await find_repeated(core, command)) co_return without_message(*repeated);
  if (live->record.deleted) co_return conversation_is_deleted();
  const auto found = co_await find_call(core, live, decide.message, decide.call);
  if (const auto* error = std::get_if<CommandError>(&found)) co_return *error;
  const auto& call = std::get<FoundCall>(found);
  if (is_of_another_tool(decide, call.call)) {
    show_anew(*core, *live, decide.message, call);
    co_return tool_has_changed();
  }
  // Before the note is stored, because what refuses it leaves none. A crash in between ends the turn too.
  const bool taken = live->calls != nullptr && live->calls->decide(decide.call, decide.decision);
  if (taken) co_return co_await remember(core, command);
  const auto refusal = refuse_decision(*core, *live, call.call);
  if (refusal) co_return *refusal;
  co_return co_await resume_with_decision(core, live, std::move(decide), command);
}

asio::awaitable<CommandResult<Done>> cancel_call(CorePtr core, CancelCallCommand cancel) {
  const AppliedCommand command = note_of(*core, cancel.id, hash_of_cancel(cancel));
  LivePtr live = co_await HubCore::open(core, cancel.conversation);
  if (!live) co_return no_such_conversation();
  auto guard = co_await live->lock.acquire();
  if (const auto repeated = co_await find_repeated(core, command)) co_return without_message(*repeated);
  const auto found = co_await find_call(core, live, cancel.message, cancel.call);
  if (const auto* error = std::get_if<CommandError>(&found)) co_return *error;
  if (live->calls != nullptr)
    live->calls->cancel(cancel.call);  // first: a full disk must not keep it running
  co_return co_await remember(core, command);
}

asio::awaitable<CommandResult<OutputPiece>> read_call_output(CorePtr core, OutputRequest request) {
  if (core->closed) co_return server_is_shutting_down();
  const HubCore::Activity activity(core);
  auto work = [&] {
    return core->store.read_output(request.conversation, request.call, request.offset, kPieceBytes);
  };
  std::optional<OutputPiece> piece = co_await run_blocking(core->store_thread, work);
  if (!piece || piece->message != request.message) co_return no_such_call();
  co_return std::move(*piece);
}

asio::awaitable<std::optional<calls::CallImage>> read_call_image(CorePtr core, std::string call,
                                                                 std::size_t number) {
  if (core->closed) co_return std::nullopt;
  const HubCore::Activity activity(core);
  auto work = [&] { return core->store.read_image(call, number); };
  co_return co_await run_blocking(core->store_thread, work);
}

}  // namespace parley::orchestration::turn
