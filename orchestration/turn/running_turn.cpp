#include "orchestration/turn/running_turn.h"

#include <cstdint>
#include <exception>
#include <utility>
#include <vector>

#include <boost/asio/co_spawn.hpp>

#include "orchestration/turn/chat_history.h"
#include "orchestration/turn/command_errors.h"
#include "orchestration/turn/offered_tools.h"
#include "orchestration/turn/run_blocking.h"
#include "orchestration/turn/running_calls.h"
#include "orchestration/turn/turn_events.h"
#include "orchestration/turn/turn_failures.h"
#include "orchestration/turn/turn_rounds.h"

namespace parley::orchestration::turn {
namespace {

namespace asio = boost::asio;
using sessions::Message;
using sessions::MessageStatus;
using Clock = std::chrono::steady_clock;

asio::awaitable<void> update_stored(CorePtr core, std::string conversation, Message answer) {
  auto work = [&] { core->store.update_message(conversation, answer); };
  co_await run_blocking(core->store_thread, work);
}

// The history as it is stored; settings and limits as they are now.
ChatRequest make_request(const HubCore& core, const LiveConversation& live, const RunningTurn& turn,
                         std::vector<Message> path) {
  const sessions::ChatSettings& settings = live.record.settings;
  ChatRequest request;
  request.messages = chat_history(settings, path);
  request.continue_last = turn.goes_on && !path.empty() && !path.back().text.empty();
  request.tools = turn.offer;
  request.overflow = prompt::Overflow::leave_out_oldest;
  request.left_out_before = left_out_before(path);
  request.options = core.options.defaults;
  if (settings.temperature) request.options.sampling.temperature = static_cast<float>(*settings.temperature);
  if (settings.max_tokens) request.options.max_tokens = *settings.max_tokens;
  return request;
}

// The last commit, and the end of the turn for everybody.
asio::awaitable<void> commit(CorePtr core, LivePtr live, TurnPtr turn) {
  auto guard = co_await live->lock.acquire();
  Message answer = turn->answer;
  answer.text = live->log.text();
  auto saving = update_stored(core, live->record.id, answer);
  const std::string failure = co_await failure_of(std::move(saving));
  if (!failure.empty()) {
    UnsavedAnswer unsaved;
    unsaved.answer = answer;
    unsaved.failure = "The answer could not be saved: " + failure;
    live->unsaved = std::move(unsaved);
  }
  live->turn.reset();
  live->overlay(answer);
  publish_message(*core, *live, std::move(answer));
  core->announce(*live);
  turn->ended = true;
  turn->changed.notify();
}

// What can still be done when ending the turn has failed too (no memory): whoever waits for it goes on.
void abandon(LiveConversation& live, RunningTurn& turn) noexcept {
  turn.stream.reset();
  if (live.turn.get() == &turn) live.turn.reset();
  turn.ended = true;
  turn.changed.notify();
}

asio::awaitable<void> run_turn(CorePtr core, LivePtr live, TurnPtr turn) {
  const HubCore::Activity activity(core);
  auto rounds = run_rounds(core, live, turn);
  const std::string failure = co_await failure_of(std::move(rounds));
  turn->stream.reset();
  turn->calls.reset();
  if (!failure.empty()) {
    core->log("an answer failed inside the server: " + failure);
    turn->fail("The answer failed inside the server: " + failure);
  }
  auto body = commit(core, live, turn);
  const std::string commit_failure = co_await failure_of(std::move(body));
  if (commit_failure.empty()) co_return;
  core->log("an answer failed inside the server: " + commit_failure);
  if (live->turn != turn) co_return abandon(*live, *turn);  // its commit failed halfway
  turn->fail("The answer failed inside the server: " + commit_failure);
  co_await commit(core, live, turn);
}

}  // namespace

void RunningTurn::fail(std::string sentence) {
  answer.status = MessageStatus::failed;
  answer.error = std::move(sentence);
}

void RunningTurn::request_stop(MessageStatus as) {
  if (!stop_requested) stop_requested = as;
  if (stream) stream->cancel();
  if (calls && !stream) calls->stop(as);
  changed.notify();
}

bool RunningTurn::only_waits() const {
  return waits_for_tools || (calls && !stream && calls->wait_for_people());
}

asio::awaitable<std::optional<ChatRejection>> ask_model(CorePtr core, LivePtr live, TurnPtr turn) {
  auto read = [&] { return core->store.path(live->record.id, turn->history_leaf, SIZE_MAX); };
  sessions::MessagePage history = co_await run_blocking(core->store_thread, read);
  if (turn->stop_requested) co_return std::nullopt;
  turn->offer = offer_tools(*core, live->record);
  ChatRequest request = make_request(*core, *live, *turn, std::move(history.items));
  turn->waited = Clock::now() - turn->arrived;
  ChatStart start = co_await core->model.start_chat(std::move(request));
  if (auto* rejection = std::get_if<ChatRejection>(&start)) co_return std::move(*rejection);
  turn->stream = std::get<std::unique_ptr<ChatStream>>(std::move(start));
  turn->answer.left_out_turns = turn->stream->left_out_turns();
  co_return std::nullopt;
}

void start_turn(const CorePtr& core, const LivePtr& live, const TurnPtr& turn) {
  live->turn = turn;
  core->announce(*live);
  auto ended = [live, turn](const std::exception_ptr& failure) {
    if (failure) abandon(*live, *turn);
  };
  asio::co_spawn(core->executor, run_turn(core, live, turn), std::move(ended));
}

void begin_answer(const CorePtr& core, const LivePtr& live, const TurnPtr& turn) {
  live->log.open_text(turn->answer.id, turn->answer.epoch, "");
  publish_added(*core, *live, turn->answer);
  start_turn(core, live, turn);
}

std::optional<CommandError> refuse_turn(const HubCore& core, const LiveConversation& live) {
  if (core.closing) return server_is_shutting_down();
  if (live.record.deleted) return conversation_is_deleted();
  if (live.turn) return still_answering();
  return std::nullopt;
}

asio::awaitable<bool> stop_turn(TurnPtr turn, MessageStatus as, std::chrono::milliseconds patience) {
  const auto deadline = Clock::now() + patience;
  turn->request_stop(as);
  while (!turn->ended && Clock::now() < deadline) co_await turn->changed.wait_until(deadline);
  co_return turn->ended;
}

asio::awaitable<void> save_unsaved(CorePtr core, LivePtr live) {
  if (!live->unsaved) co_return;
  Message answer = live->unsaved->answer;
  co_await update_stored(core, live->record.id, answer);
  live->unsaved.reset();
  publish_message(*core, *live, std::move(answer));
}

asio::awaitable<void> save_unsaved_at_last(CorePtr core, LivePtr live) {
  auto guard = co_await live->lock.acquire();
  auto saving = save_unsaved(core, live);
  const std::string failure = co_await failure_of(std::move(saving));
  if (!failure.empty()) core->log("the end of an answer could not be saved: " + failure);
}

}  // namespace parley::orchestration::turn
