#include "orchestration/turn/call_round.h"

#include <exception>
#include <utility>
#include <variant>

#include <boost/asio/co_spawn.hpp>

#include "orchestration/turn/uuid.h"

namespace parley::orchestration::turn {

namespace asio = boost::asio;
using sessions::CallState;
using sessions::ToolCall;

namespace {

constexpr const char* kNobodyToAsk =
    "This tool needs a person's approval, and nobody can be asked here. Answer without it.";

}  // namespace

CallRound::CallRound(std::shared_ptr<const CallRoundParts> parts)
    : parts_(std::move(parts)), places_(parts_->desk), changed_(parts_->executor) {}

bool CallRound::belongs_to_caller(const std::string& tool) const {
  const tools::ToolPointer found = parts_->offered.find(tool);
  return found && parts_->is_callers && parts_->is_callers(*found);
}

bool CallRound::take(const calls::CallEvent& event) {
  if (const auto* begun = std::get_if<calls::CallBegin>(&event)) return begin(*begun);
  if (const auto* more = std::get_if<calls::ArgumentsDelta>(&event)) {
    if (!is_at_callers_ && !calls_.empty()) calls_.back().arguments += more->json;
    return is_at_callers_;
  }
  if (const auto* ended = std::get_if<calls::CallEnd>(&event)) {
    if (!is_at_callers_ && !calls_.empty()) broken_.back() = ended->error;
    return is_at_callers_;
  }
  return false;
}

bool CallRound::begin(const calls::CallBegin& event) {
  is_at_callers_ = belongs_to_caller(event.name);
  has_callers_ = has_callers_ || is_at_callers_;
  if (is_at_callers_) return true;
  ToolCall call;
  call.id = make_uuid();  // the model's own are not unique
  call.name = event.name;
  calls_.push_back(std::move(call));
  broken_.emplace_back();
  return false;
}

void CallRound::stop(std::string_view why) {
  if (stop_.request_stop()) why_stopped_ = why;
}

// What can be said without running anything.
void CallRound::settle(std::size_t index, CallRepeats& repeats) {
  ToolCall& call = calls_[index];
  const CallPlan& plan = plans_[index];
  if (plan.tool) call.source = plan.tool->spec().source;
  call.preview = plan.preview;
  CallVerdict verdict = judge_call(parts_->desk, repeats, plan, broken_[index], "");
  if (verdict.kind == CallVerdict::Kind::fail)
    return end(index, CallState::failed, std::move(verdict.result));
  call.decision = verdict.kind == CallVerdict::Kind::run ? "auto" : "denied";
  if (verdict.kind == CallVerdict::Kind::ask) verdict.result = kNobodyToAsk;
  if (verdict.kind != CallVerdict::Kind::run) end(index, CallState::denied, std::move(verdict.result));
}

void CallRound::end(std::size_t index, CallState state, std::string result) {
  calls_[index].state = state;
  calls_[index].result = std::move(result);
  if (plans_[index].tool) parts_->desk.record(audit_record(calls_[index], plans_[index], ""));
}

asio::awaitable<void> CallRound::run(std::shared_ptr<CallRound> self, CallRepeats& repeats) {
  std::vector<prompt::MessageCall> made;
  for (const ToolCall& call : self->calls_) made.push_back({call.id, call.name, call.arguments});
  self->plans_ = co_await plan_calls(self->parts_->desk, self->parts_->offered, std::move(made));
  for (std::size_t i = 0; i < self->calls_.size(); ++i) {
    self->settle(i, repeats);
    if (self->calls_[i].state != CallState::writing) continue;
    ++self->driving_;
    auto ended = [self, i](const std::exception_ptr& failure) {
      if (failure) self->end(i, CallState::failed, "The call failed inside the server.");
      --self->driving_;
      self->changed_.notify();
    };
    asio::co_spawn(self->parts_->executor, drive(self, i), std::move(ended));
  }
  while (self->driving_ > 0) co_await self->changed_.wait();
}

asio::awaitable<void> CallRound::drive(Self self, std::size_t index) {
  const std::function<bool()> is_over = [self] { return self->stop_.stop_requested(); };
  const CallPlan& plan = self->plans_[index];
  const auto place = co_await self->places_.take(plan.tool, is_over);
  if (!place) co_return self->end(index, CallState::cancelled, self->why_stopped_);
  ToolCall& call = self->calls_[index];
  call.state = CallState::running;
  tools::CallContext context;
  context.stop = self->stop_.get_token();
  const CallRoundParts& parts = *self->parts_;
  ResultLimit limit;
  limit.tokens = result_tokens(parts.desk.limits(), parts.max_context, self->calls_.size());
  limit.count = parts.count;
  limit.images = ImageUse::left_out;
  CallRun done = co_await run_planned_call(parts.desk, plan, std::move(context), std::move(limit));
  call.elapsed_ms = done.elapsed_ms;
  call.output_bytes = done.outcome.output.size();
  call.images = std::move(done.outcome.images);
  for (calls::CallImage& image : call.images) image.bytes.clear();  // nobody is shown them
  const bool cancelled = done.outcome.state == CallState::cancelled;
  self->end(index, done.outcome.state, cancelled ? self->why_stopped_ : std::move(done.outcome.result));
}

}  // namespace parley::orchestration::turn
