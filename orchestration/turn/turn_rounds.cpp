#include "orchestration/turn/turn_rounds.h"

#include <cstdint>
#include <exception>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "orchestration/turn/answer_saver.h"
#include "orchestration/turn/run_blocking.h"
#include "orchestration/turn/running_calls.h"
#include "orchestration/turn/tool_wait.h"
#include "orchestration/turn/turn_events.h"
#include "orchestration/turn/turn_failures.h"

namespace parley::orchestration::turn {
namespace {

namespace asio = boost::asio;
using sessions::Message;
using sessions::MessageStatus;
using Clock = std::chrono::steady_clock;
using SaverPtr = std::shared_ptr<AnswerSaver>;

void show(LiveConversation& live, AnswerSaver& saver, std::string_view text,
          const std::vector<std::int32_t>& ids) {
  saver.add(text, ids);
  if (text.empty()) return;
  live.log.grow(text);
  live.changed.notify();
}

void grow(LiveConversation& live, AnswerSaver& saver, RunningTurn& turn, const ChatDelta& delta) {
  turn.reasoning.take(delta, Clock::now());
  turn.answer.token_ids.insert(turn.answer.token_ids.end(), delta.token_ids.begin(), delta.token_ids.end());
  show(live, saver, turn.text.take(delta), delta.token_ids);
}

// Not cut: what is cut may go on, in the reasoning too.
bool is_whole(const ChatFinished& finished) {
  return finished.error.empty() && (finished.stop_reason == "stop" || finished.stop_reason == "tool_calls");
}

void take_calls(RunningTurn& turn, const ChatDelta& delta) {
  if (!turn.calls) return;
  for (const calls::CallEvent& event : delta.calls) turn.calls->take(event);
}

// Completion tokens, total time and that of reasoning add up in a continued answer; the rest is that of its
// last part.
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
  const double reasoning_before = answer.timings.reasoning_ms;
  answer.timings = finished.timings;
  answer.timings.first_token_ms += finished.timings.first_token_ms > 0 ? turn.waited.count() : 0;
  answer.timings.total_ms += turn.waited.count() + total_before;
  answer.timings.reasoning_ms = reasoning_before + turn.reasoning.total(Clock::now()).count();
}

void apply_stop_before_start(RunningTurn& turn) {
  turn.answer.status = *turn.stop_requested;
  turn.answer.stop_reason = "stopped";
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
    if (is_whole(std::get<ChatFinished>(event))) show(*live, *saver, turn->text.close(), {});
    co_return std::get<ChatFinished>(std::move(event));
  }
}

// To the end of what the model writes. Sets the answer's status.
asio::awaitable<void> generate(CorePtr core, LivePtr live, TurnPtr turn, SaverPtr saver) {
  if (!turn->stream) {
    co_await wait_for_tools(core, live, turn);
    const std::optional<ChatRejection> rejection = co_await ask_model(core, live, turn);
    if (rejection) co_return turn->fail(rejection->message);
  }
  if (turn->stop_requested) co_return apply_stop_before_start(*turn);
  if (!turn->offer.tools.empty()) turn->calls = std::make_shared<RunningCalls>(core, live, *turn);
  const ChatFinished finished = co_await receive(live, turn, saver);
  turn->answer.left_out_turns = turn->stream->left_out_turns();  // certain only now
  apply_end(*turn, finished);
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
  if (!failure.empty()) turn->fail("The answer failed: " + failure);
  auto saving = AnswerSaver::stop(saver);
  const std::string save_failure = co_await failure_of(std::move(saving));
  if (!save_failure.empty()) turn->fail("The answer could not be saved: " + save_failure);
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
    turn->fail("A tool call failed inside the server: " + failure);
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
  turn->text = AnswerText();
  turn->reasoning = ReasoningClock();
  turn->arrived = Clock::now();
  ++turn->rounds;
  live->log.open_text(next.id, next.epoch, "");
  publish_added(*core, *live, next);
}

}  // namespace

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

}  // namespace parley::orchestration::turn
