#include "orchestration/turn/tool_loop.h"

#include <algorithm>
#include <map>
#include <stop_token>
#include <utility>

#include <boost/asio/co_spawn.hpp>

#include "inference/json/json_writer.h"
#include "orchestration/turn/call_runner.h"
#include "orchestration/turn/run_blocking.h"
#include "orchestration/turn/uuid.h"

namespace parley::orchestration::turn {
namespace {

namespace asio = boost::asio;
using Clock = std::chrono::steady_clock;
using sessions::CallState;
using sessions::ToolCall;

constexpr const char* kNobodyToAsk =
    "This tool needs a person's approval, and nobody can be asked here. Answer without it.";

bool is_empty(const ChatDelta& delta) {
  return delta.text.empty() && delta.reasoning.empty() && delta.token_ids.empty();
}

// The calls of one round, while they run.
struct Round {
  explicit Round(const asio::any_io_executor& executor) : changed(executor) {}
  std::vector<ToolCall> calls;
  std::vector<CallPlan> plans;
  std::stop_source stop;
  std::size_t driving = 0;
  int running = 0;
  Wakeup changed;
};
using RoundPtr = std::shared_ptr<Round>;  // shared by the stream and the coroutines of its calls

struct LoopParts {
  ChatModel& model;
  ToolDesk& desk;
  asio::any_io_executor executor;
  ChatRequest request;
};

void refuse(ToolCall& call, CallState state, std::string result) {
  call.state = state;
  call.result = std::move(result);
}

asio::awaitable<void> run_one(ToolDesk& desk, RoundPtr round, std::size_t index, TokenCounter count) {
  const tools::ToolLimits limits = desk.limits();
  const CallPlan& plan = round->plans[index];
  const tools::ToolSpec& spec = plan.tool->spec();
  while (round->running >= limits.max_parallel || !desk.try_take_place(spec)) {
    if (round->stop.stop_requested()) co_return refuse(round->calls[index], CallState::cancelled, "stopped");
    co_await desk.freed.wait_until(Clock::now() + std::chrono::milliseconds(100));
  }
  ++round->running;
  tools::CallContext context;
  context.deadline = Clock::now() + limits.call_timeout;
  context.stop = round->stop.get_token();
  ResultLimit limit;
  limit.tokens = static_cast<std::size_t>(limits.result_tokens);
  limit.count = std::move(count);
  const auto begin = Clock::now();
  auto work = [&] { return run_call(plan, context, limit); };
  CallOutcome outcome = co_await run_blocking(desk.threads(), work);
  --round->running;
  desk.free_place(spec);
  ToolCall& call = round->calls[index];
  call.elapsed_ms = std::chrono::duration<double, std::milli>(Clock::now() - begin).count();
  call.decision = "auto";
  refuse(call, outcome.state, std::move(outcome.result));
}

class ToolLoopStream : public ChatStream {
 public:
  ToolLoopStream(LoopParts parts, std::unique_ptr<ChatStream> inner)
      : parts_(std::move(parts)),
        inner_(std::move(inner)),
        offered_(parts_.request.tools.tools),
        left_out_turns_(inner_->left_out_turns()),
        continued_ids_(inner_->continued_ids()) {}
  ~ToolLoopStream() override {
    if (round_) round_->stop.request_stop();
  }

  int left_out_turns() const override { return left_out_turns_; }
  std::optional<std::vector<std::int32_t>> continued_ids() const override { return continued_ids_; }

  void cancel() override {
    cancelled_ = true;
    if (inner_) inner_->cancel();
    if (round_) round_->stop.request_stop();
  }

  asio::awaitable<ChatEvent> next() override {
    for (;;) {
      ChatEvent event = co_await inner_->next();
      if (auto* delta = std::get_if<ChatDelta>(&event)) {
        take(*delta);
        if (!is_empty(*delta)) co_return event;
        continue;
      }
      auto& finished = std::get<ChatFinished>(event);
      add_up(finished);
      if (finished.stop_reason != "tool_calls" || !finished.error.empty()) co_return whole(finished);
      co_await run_calls();
      if (cancelled_) finished.stop_reason = "stopped";
      if (cancelled_ || ++rounds_ >= parts_.desk.limits().max_rounds) co_return whole(finished);
      const std::string refusal = co_await go_on();
      if (refusal.empty()) continue;
      finished.error = refusal;
      co_return whole(finished);
    }
  }

 private:
  // Keeps what the next round's prompt needs; the calls are nothing for the caller.
  void take(ChatDelta& delta) {
    answer_.text += delta.text;
    answer_.reasoning += delta.reasoning;
    answer_.token_ids.insert(answer_.token_ids.end(), delta.token_ids.begin(), delta.token_ids.end());
    for (const calls::CallEvent& event : delta.calls) {
      if (const auto* begun = std::get_if<calls::CallBegin>(&event)) {
        answer_.calls.push_back({begun->id.empty() ? make_uuid() : begun->id, begun->name, ""});
        broken_.emplace_back();
      } else if (const auto* more = std::get_if<calls::ArgumentsDelta>(&event)) {
        if (!answer_.calls.empty()) answer_.calls.back().arguments += more->json;
      } else if (const auto* ended = std::get_if<calls::CallEnd>(&event)) {
        if (!broken_.empty()) broken_.back() = ended->error;
      }
    }
    delta.calls.clear();
  }

  void add_up(const ChatFinished& finished) {
    answer_.text += finished.text;
    if (rounds_ == 0) first_ = finished.timings;
    usage_.prompt_tokens = finished.usage.prompt_tokens;
    usage_.cached_tokens = finished.usage.cached_tokens;
    usage_.completion_tokens += finished.usage.completion_tokens;
    total_ms_ += finished.timings.total_ms;
  }

  ChatFinished whole(ChatFinished& last) {
    last.usage = usage_;
    last.timings.first_token_ms = first_.first_token_ms;
    last.timings.total_ms = total_ms_;
    last.calls = std::move(ran_);
    return std::move(last);
  }

  // What can be said without running anything.
  void settle(std::size_t index) {
    ToolCall& call = round_->calls[index];
    const CallPlan& plan = round_->plans[index];
    if (!broken_[index].empty()) return refuse(call, CallState::failed, broken_[index]);
    if (!plan.problem.empty()) return refuse(call, CallState::failed, plan.problem);
    call.source = plan.tool->spec().source;
    const std::string what = call.name + "\n" + inference::json::to_json_text(plan.arguments);
    if (++repeats_[what] >= parts_.desk.limits().repeat_limit) {
      return refuse(call, CallState::failed, "The same call was made before. Use its result.");
    }
    if (parts_.desk.decide(plan.tool->spec(), "") == tools::Decision::automatic) return;
    call.decision = "denied";
    refuse(call, CallState::denied, kNobodyToAsk);
  }

  asio::awaitable<void> run_calls() {
    round_ = std::make_shared<Round>(parts_.executor);
    for (const prompt::MessageCall& made : answer_.calls) {
      ToolCall call;
      call.id = made.id;
      call.name = made.name;
      call.arguments = made.arguments;
      round_->calls.push_back(std::move(call));
      round_->plans.push_back(plan_call(offered_, made.name, made.arguments));
    }
    RoundPtr round = round_;
    for (std::size_t i = 0; i < round->calls.size(); ++i) {
      settle(i);
      if (round->calls[i].state != CallState::writing) continue;
      ++round->driving;
      auto ended = [round](const std::exception_ptr& failure) {
        for (auto& call : round->calls) {
          if (failure && call.state == CallState::writing)
            refuse(call, CallState::failed, "The call failed.");
        }
        --round->driving;
        round->changed.notify();
      };
      auto body = run_one(parts_.desk, round, i, parts_.model.token_counter());
      asio::co_spawn(parts_.executor, std::move(body), std::move(ended));
    }
    while (round->driving > 0) co_await round->changed.wait();
    record(*round);
  }

  void record(const Round& round) {
    for (std::size_t i = 0; i < round.calls.size(); ++i) {
      const ToolCall& call = round.calls[i];
      ran_.push_back(call);
      if (round.plans[i].tool) parts_.desk.record(audit_record(call, round.plans[i], ""));
    }
  }

  // The next answer, given the results. Empty: it is under way.
  asio::awaitable<std::string> go_on() {
    std::vector<prompt::ChatMessage>& messages = parts_.request.messages;
    answer_.role = prompt::Role::assistant;
    messages.push_back(std::exchange(answer_, prompt::ChatMessage()));
    broken_.clear();
    for (const ToolCall& call : round_->calls) {
      prompt::ChatMessage result;
      result.role = prompt::Role::tool;
      result.text = call.result;
      result.call_id = call.id;
      result.tool_name = call.name;
      messages.push_back(std::move(result));
    }
    round_.reset();
    parts_.request.continue_last = false;
    parts_.request.left_out_before = inner_->left_out_turns();
    if (parts_.request.tools.choice != ToolChoice::none) parts_.request.tools.choice = ToolChoice::automatic;
    ChatRequest request = parts_.request;
    ChatStart start = co_await parts_.model.start_chat(std::move(request));
    if (auto* rejection = std::get_if<ChatRejection>(&start)) co_return rejection->message;
    inner_ = std::get<std::unique_ptr<ChatStream>>(std::move(start));
    if (cancelled_) inner_->cancel();
    co_return std::string();
  }

  LoopParts parts_;
  std::unique_ptr<ChatStream> inner_;
  const tools::ToolSet offered_;
  const int left_out_turns_;
  const std::optional<std::vector<std::int32_t>> continued_ids_;
  prompt::ChatMessage answer_;       // of this round, so far
  std::vector<std::string> broken_;  // by call: why it is none
  std::vector<ToolCall> ran_;        // of all rounds
  std::map<std::string, int> repeats_;
  RoundPtr round_;  // while calls run
  int rounds_ = 0;
  bool cancelled_ = false;
  sessions::Usage usage_;
  sessions::Timings first_;
  double total_ms_ = 0;
};

}  // namespace

asio::awaitable<ChatStart> start_tool_loop(ChatModel& model, ToolDesk& desk, asio::any_io_executor executor,
                                           ChatRequest request) {
  LoopParts parts{model, desk, std::move(executor), std::move(request)};
  ChatRequest first = parts.request;
  ChatStart start = co_await model.start_chat(std::move(first));
  if (std::holds_alternative<ChatRejection>(start)) co_return start;
  auto inner = std::get<std::unique_ptr<ChatStream>>(std::move(start));
  co_return std::make_unique<ToolLoopStream>(std::move(parts), std::move(inner));
}

}  // namespace parley::orchestration::turn
