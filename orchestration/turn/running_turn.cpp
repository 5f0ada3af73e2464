#include "orchestration/turn/running_turn.h"

#include <cstdint>
#include <exception>
#include <utility>
#include <vector>

#include <boost/asio/co_spawn.hpp>

#include "orchestration/turn/answer_saver.h"
#include "orchestration/turn/chat_history.h"
#include "orchestration/turn/command_errors.h"
#include "orchestration/turn/offered_tools.h"
#include "orchestration/turn/run_blocking.h"
#include "orchestration/turn/running_calls.h"
#include "orchestration/turn/tool_wait.h"
#include "orchestration/turn/turn_events.h"

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

asio::awaitable<std::exception_ptr> exception_of(asio::awaitable<void> work) {
  try {
    co_await std::move(work);
  } catch (...) {
    co_return std::current_exception();
  }
  co_return nullptr;
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
  request.tools = turn.offer;
  request.overflow = prompt::Overflow::leave_out_oldest;
  request.left_out_before = left_out_before(path);
  request.options = core.options.defaults;
  if (settings.temperature) request.options.sampling.temperature = static_cast<float>(*settings.temperature);
  if (settings.max_tokens) request.options.max_tokens = *settings.max_tokens;
  return request;
}

// Reasoning is part of an answer's text, between marks; chat_history() takes it apart again.
std::string shown_text(RunningTurn& turn, const ChatDelta& delta) {
  std::string text;
  if (!delta.reasoning.empty()) {
    if (!turn.is_reasoning) text += kReasoningOpen;
    turn.is_reasoning = true;
    text += delta.reasoning;
  }
  if (!delta.text.empty()) {
    if (turn.is_reasoning) text += kReasoningClose;
    turn.is_reasoning = false;
    text += delta.text;
  }
  return text;
}

void grow(LiveConversation& live, AnswerSaver& saver, RunningTurn& turn, const ChatDelta& delta) {
  turn.answer.token_ids.insert(turn.answer.token_ids.end(), delta.token_ids.begin(), delta.token_ids.end());
  const std::string text = shown_text(turn, delta);
  saver.add(text, delta.token_ids);
  if (text.empty()) return;
  live.log.grow(text);
  live.changed.notify();
}

void take_calls(RunningTurn& turn, const ChatDelta& delta) {
  if (!turn.calls) return;
  for (const calls::CallEvent& event : delta.calls) turn.calls->take(event);
}

// Completion tokens and total time of a continued answer add up; the rest is that of its last part.
void apply_end(RunningTurn& turn, const ChatFinished& finished) {
  Message& answer = turn.answer;
  answer.status = MessageStatus::complete;
  answer.stop_reason = finished.stop_reason;
  // A model that had ended with calls before Stop came to it: they are not run.
  if (turn.stop_requested && finished.stop_reason == "tool_calls") answer.stop_reason = "stopped";
  if (answer.stop_reason == "stopped")
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
      take_calls(*turn, *delta);
      continue;
    }
    ChatDelta rest;
    rest.text = std::get<ChatFinished>(event).text;
    grow(*live, *saver, *turn, rest);
    co_return std::get<ChatFinished>(std::move(event));
  }
}

// To the end of what the model writes. Sets the answer's status.
asio::awaitable<void> generate(CorePtr core, LivePtr live, TurnPtr turn, SaverPtr saver) {
  if (!turn->stream) {
    co_await wait_for_tools(core, live, turn);
    const std::optional<ChatRejection> rejection = co_await ask_model(core, live, turn);
    if (rejection) co_return fail_answer(*turn, rejection->message);
  }
  if (turn->stop_requested) co_return apply_stop_before_start(*turn);
  if (!turn->offer.tools.empty()) turn->calls = std::make_shared<RunningCalls>(core, live, *turn);
  const ChatFinished finished = co_await receive(live, turn, saver);
  turn->answer.left_out_turns = turn->stream->left_out_turns();  // certain only now
  apply_end(*turn, finished);
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

bool has_calls_to_run(const RunningTurn& turn) {
  const Message& answer = turn.answer;
  return answer.status == MessageStatus::complete && answer.stop_reason == "tool_calls" && turn.calls;
}

// Whatever happens, the answer has a status, and nothing of it is on its way to the store.
asio::awaitable<void> generate_and_save(CorePtr core, LivePtr live, TurnPtr turn, SaverPtr saver) {
  auto generation = generate(core, live, turn, saver);
  const std::string failure = co_await failure_of(std::move(generation));
  turn->stream.reset();
  if (!failure.empty()) fail_answer(*turn, "The answer failed: " + failure);
  auto saving = AnswerSaver::stop(saver);
  const std::string save_failure = co_await failure_of(std::move(saving));
  if (!save_failure.empty()) fail_answer(*turn, "The answer could not be saved: " + save_failure);
  if (turn->calls && !has_calls_to_run(*turn)) {
    turn->calls->abandon("The answer ended before this call could run.");
  }
}

// To subscribers and the store the answer goes on while its calls run.
asio::awaitable<void> run_calls(CorePtr core, LivePtr live, TurnPtr turn) {
  if (turn->resumes_calls) turn->calls = std::make_shared<RunningCalls>(core, live, *turn);
  turn->resumes_calls = false;
  turn->answer.status = MessageStatus::streaming;
  auto calls = turn->calls;
  live->calls = calls.get();
  auto running = RunningCalls::run_all(calls, turn);
  const std::string failure = co_await failure_of(std::move(running));
  turn->answer.status = MessageStatus::complete;
  turn->answer.stop_reason = "tool_calls";
  if (!failure.empty()) {
    calls->interrupt();
    fail_answer(*turn, "A tool call failed inside the server: " + failure);
  } else if (turn->stop_requested) {
    apply_stop_before_start(*turn);
  }
  live->calls = nullptr;
  turn->calls.reset();
}

// A sentence for the user, who may have the turn go on; empty: no limit is reached.
std::string limit_reached(const HubCore& core, const RunningTurn& turn) {
  const auto worked = Clock::now() - turn.began - turn.waited_for_people;
  const std::string limit = round_limit(core.options.tools->limits(), turn.rounds, worked);
  return limit.empty() ? limit : limit + " Continue lets the model go on.";
}

// Then the turn ends with the calls' results.
bool is_over(const HubCore& core, RunningTurn& turn) {
  if (turn.answer.status != MessageStatus::complete) return true;
  turn.answer.error = limit_reached(core, turn);
  return !turn.answer.error.empty();
}

// The next answer of the turn: it is given the results. Not after Stop, which may come while the lock is
// waited for.
asio::awaitable<void> begin_next_round(CorePtr core, LivePtr live, TurnPtr turn) {
  auto guard = co_await live->lock.acquire();
  if (turn->stop_requested) co_return apply_stop_before_start(*turn);
  Message answered = turn->answer;
  answered.text = live->log.text();
  Message next = new_answer(*core, make_uuid(), answered.id);
  auto store = [&] {
    core->store.update_message(live->record.id, answered);
    core->store.add_message(live->record.id, next);
  };
  co_await run_blocking(core->store_thread, store);
  turn->history_leaf = answered.id;
  publish_message(*core, *live, std::move(answered));
  turn->answer = next;
  turn->goes_on = false;
  turn->is_reasoning = false;
  turn->arrived = Clock::now();
  ++turn->rounds;
  live->log.open_text(next.id, next.epoch, "");
  publish_added(*core, *live, next);
}

asio::awaitable<void> run_rounds(CorePtr core, LivePtr live, TurnPtr turn) {
  auto stop = [turn] { turn->request_stop(MessageStatus::interrupted); };
  for (;;) {
    if (!turn->resumes_calls) {
      auto saver = std::make_shared<AnswerSaver>(core, live->record.id, turn->answer.id, stop);
      auto body = generate_and_save(core, live, turn, saver);
      const std::exception_ptr broken = co_await exception_of(std::move(body));
      if (broken) {
        auto saving = AnswerSaver::stop(saver);
        co_await exception_of(std::move(saving));
        std::rethrow_exception(broken);
      }
      if (!has_calls_to_run(*turn)) co_return;
    }
    co_await run_calls(core, live, turn);
    if (is_over(*core, *turn)) co_return;
    co_await begin_next_round(core, live, turn);
    if (turn->answer.status != MessageStatus::streaming) co_return;
  }
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
    fail_answer(*turn, "The answer failed inside the server: " + failure);
  }
  auto body = commit(core, live, turn);
  const std::string commit_failure = co_await failure_of(std::move(body));
  if (commit_failure.empty()) co_return;
  core->log("an answer failed inside the server: " + commit_failure);
  if (live->turn != turn) co_return abandon(*live, *turn);  // its commit failed halfway
  fail_answer(*turn, "The answer failed inside the server: " + commit_failure);
  co_await commit(core, live, turn);
}

}  // namespace

void RunningTurn::request_stop(MessageStatus as) {
  if (!stop_requested) stop_requested = as;
  if (stream) stream->cancel();
  if (calls && !stream) calls->stop(as);
  changed.notify();
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
  if (live.turn) {
    return command_error(CommandError::Code::busy,
                         "The conversation is still answering. Wait for its end, or stop it first.");
  }
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
