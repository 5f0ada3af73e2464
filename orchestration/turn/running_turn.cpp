#include "orchestration/turn/running_turn.h"

#include <cstdint>
#include <exception>
#include <utility>
#include <vector>

#include <boost/asio/co_spawn.hpp>

#include "orchestration/turn/answer_saver.h"
#include "orchestration/turn/chat_history.h"
#include "orchestration/turn/run_blocking.h"

namespace parley::orchestration::turn {
namespace {

namespace asio = boost::asio;
using sessions::Message;
using sessions::MessageStatus;
using Clock = std::chrono::steady_clock;
using SaverPtr = std::shared_ptr<AnswerSaver>;

// A turn has no caller who could catch: this is where its exceptions become a sentence. Empty: there was
// none.
asio::awaitable<std::string> failure_of(asio::awaitable<void> work) {
  try {
    co_await std::move(work);
  } catch (const std::exception& error) {
    co_return error.what();
  } catch (...) {
    co_return "an unknown error";
  }
  co_return std::string();
}

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
  request.overflow = prompt::Overflow::leave_out_oldest;
  request.left_out_before = left_out_before(path);
  request.options = core.options.defaults;
  if (settings.temperature) request.options.sampling.temperature = static_cast<float>(*settings.temperature);
  if (settings.max_tokens) request.options.max_tokens = *settings.max_tokens;
  return request;
}

void grow(LiveConversation& live, AnswerSaver& saver, RunningTurn& turn, const ChatDelta& delta) {
  turn.answer.token_ids.insert(turn.answer.token_ids.end(), delta.token_ids.begin(), delta.token_ids.end());
  saver.add(delta.text, delta.token_ids);
  if (delta.text.empty()) return;
  live.log.grow(delta.text);
  live.changed.notify();
}

// Completion tokens and total time of a continued answer add up; the rest is that of its last part.
void apply_end(RunningTurn& turn, const ChatFinished& finished) {
  Message& answer = turn.answer;
  answer.status = MessageStatus::complete;
  answer.stop_reason = finished.stop_reason;
  if (finished.stop_reason == "stopped")
    answer.status = turn.stop_requested.value_or(MessageStatus::interrupted);
  if (!finished.error.empty()) {
    answer.status = MessageStatus::failed;
    answer.error = finished.error;
  }
  const int tokens_before = answer.usage.completion_tokens;
  answer.usage = finished.usage;
  answer.usage.completion_tokens += tokens_before;
  const double total_before = answer.timings.total_ms;
  answer.timings = finished.timings;
  answer.timings.first_token_ms += finished.timings.first_token_ms > 0 ? turn.waited.count() : 0;
  answer.timings.total_ms += turn.waited.count() + total_before;
}

void apply_stop_before_start(RunningTurn& turn) {
  turn.answer.status = *turn.stop_requested;
  turn.answer.stop_reason = "stopped";
}

void fail_answer(RunningTurn& turn, const std::string& sentence) {
  turn.answer.status = MessageStatus::failed;
  turn.answer.error = sentence;
}

// From the first token to the last.
asio::awaitable<ChatFinished> receive(LivePtr live, TurnPtr turn, SaverPtr saver) {
  for (;;) {
    ChatEvent event = co_await turn->stream->next();
    if (const auto* delta = std::get_if<ChatDelta>(&event)) {
      grow(*live, *saver, *turn, *delta);
      continue;
    }
    ChatDelta rest;
    rest.text = std::get<ChatFinished>(event).text;
    grow(*live, *saver, *turn, rest);
    co_return std::get<ChatFinished>(std::move(event));
  }
}

// To the answer's end. Sets the answer's status.
asio::awaitable<void> generate(CorePtr core, LivePtr live, TurnPtr turn, SaverPtr saver) {
  if (!turn->stream) {
    const std::optional<ChatRejection> rejection = co_await ask_model(core, live, turn);
    if (rejection) co_return fail_answer(*turn, rejection->message);
  }
  if (turn->stop_requested) co_return apply_stop_before_start(*turn);
  const ChatFinished finished = co_await receive(live, turn, saver);
  apply_end(*turn, finished);
}

void publish_message(HubCore& core, LiveConversation& live, Message message) {
  MessageChanged event;
  event.text_bytes = message.text.size();
  event.message = without_text(std::move(message));
  core.publish(live, std::move(event));
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

asio::awaitable<void> generate_and_commit(CorePtr core, LivePtr live, TurnPtr turn, SaverPtr saver) {
  auto generation = generate(core, live, turn, saver);
  const std::string failure = co_await failure_of(std::move(generation));
  turn->stream.reset();
  if (!failure.empty()) fail_answer(*turn, "The answer failed: " + failure);
  auto saving = AnswerSaver::stop(saver);
  const std::string save_failure = co_await failure_of(std::move(saving));
  if (!save_failure.empty()) fail_answer(*turn, "The answer could not be saved: " + save_failure);
  co_await commit(core, live, turn);
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
  auto stop = [turn] { turn->request_stop(MessageStatus::interrupted); };
  auto saver = std::make_shared<AnswerSaver>(core, live->record.id, turn->answer.id, stop);
  auto body = generate_and_commit(core, live, turn, saver);
  const std::string failure = co_await failure_of(std::move(body));
  if (failure.empty()) co_return;
  core->log("an answer failed inside the server: " + failure);
  turn->stream.reset();
  auto saving = AnswerSaver::stop(saver);
  co_await failure_of(std::move(saving));
  if (live->turn != turn) co_return abandon(*live, *turn);  // its commit failed halfway
  fail_answer(*turn, "The answer failed inside the server: " + failure);
  co_await commit(core, live, turn);
}

}  // namespace

void RunningTurn::request_stop(MessageStatus as) {
  if (!stop_requested) stop_requested = as;
  if (stream) stream->cancel();
}

asio::awaitable<std::optional<ChatRejection>> ask_model(CorePtr core, LivePtr live, TurnPtr turn) {
  auto read = [&] { return core->store.path(live->record.id, turn->history_leaf, SIZE_MAX); };
  sessions::MessagePage history = co_await run_blocking(core->store_thread, read);
  if (turn->stop_requested) co_return std::nullopt;
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
