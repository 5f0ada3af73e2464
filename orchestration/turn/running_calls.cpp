#include "orchestration/turn/running_calls.h"

#include <algorithm>
#include <utility>
#include <variant>

#include "orchestration/tools/builtin_names.h"
#include "orchestration/turn/uuid.h"

namespace parley::orchestration::turn {

using sessions::CallState;
using sessions::MessageStatus;
using sessions::ToolCall;

namespace {

constexpr const char* kDeniedByUser =
    "The user did not allow this call. Do not try it again; go on without it.";
constexpr const char* kCancelled = "The user cancelled this call.";
constexpr const char* kStopped = "The user stopped the answer before this call had ended.";
constexpr const char* kNotRun = "The server failed before this call could run.";

bool has_ended(CallState state) {
  return state != CallState::writing && state != CallState::awaiting_approval && state != CallState::running;
}

std::string decision_name(CallDecision decision) {
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
  return "denied";
}

}  // namespace

RunningCalls::RunningCalls(CorePtr core, LivePtr live, RunningTurn& turn)
    : core_(std::move(core)),
      live_(std::move(live)),
      turn_(turn),
      offered_(turn.offer.tools),
      places_(*core_->options.tools),
      changed_(core_->executor) {
  for (std::size_t i = 0; i < turn_.answer.calls.size(); ++i) work_.push_back(std::make_unique<Work>());
}

ToolCall& RunningCalls::call(std::size_t index) { return turn_.answer.calls[index]; }

std::optional<std::size_t> RunningCalls::find(const std::string& id) {
  for (std::size_t i = 0; i < work_.size(); ++i) {
    if (call(i).id == id) return i;
  }
  return std::nullopt;
}

bool RunningCalls::all_ended() const {
  return std::all_of(turn_.answer.calls.begin(), turn_.answer.calls.end(),
                     [](const ToolCall& one) { return has_ended(one.state); });
}

void RunningCalls::take(const calls::CallEvent& event) {
  if (const auto* begun = std::get_if<calls::CallBegin>(&event)) return begin(*begun);
  if (std::holds_alternative<calls::CallPending>(event)) {
    live_->log.begin_preparing();
    live_->changed.notify();
    return;
  }
  if (const auto* delta = std::get_if<calls::ArgumentsDelta>(&event)) {
    if (work_.empty()) return;
    turn_.answer.calls.back().arguments += delta->json;
    live_->log.grow_arguments(delta->json);
    live_->changed.notify();
  } else if (const auto* ended = std::get_if<calls::CallEnd>(&event)) {
    if (work_.empty()) return;
    work_.back()->broken = ended->error;
    live_->log.close_arguments();
    publish(work_.size() - 1);
  }
}

// The model's own ids are not kept: they are not unique, and templates that need one get it by their rule.
void RunningCalls::begin(const calls::CallBegin& event) {
  ToolCall next;
  next.id = make_uuid();
  next.name = event.name;
  if (const auto tool = offered_.find(event.name)) next.source = tool->spec().source;
  turn_.answer.calls.push_back(std::move(next));
  work_.push_back(std::make_unique<Work>());
  live_->log.open_arguments(static_cast<int>(work_.size()) - 1);
  publish(work_.size() - 1);
}

void RunningCalls::abandon(const std::string& why) {
  live_->log.close_arguments();
  for (std::size_t i = 0; i < work_.size(); ++i) {
    if (!has_ended(call(i).state)) end(i, CallState::cancelled, why);
  }
}

void RunningCalls::interrupt() {
  for (std::size_t i = 0; i < work_.size(); ++i) {
    if (call(i).state == CallState::writing) end(i, CallState::cancelled, kNotRun);
    if (call(i).state == CallState::running) end(i, CallState::interrupted, std::string(kMayHaveRun));
  }
}

void RunningCalls::publish(std::size_t index) {
  CallChanged event;
  event.message = turn_.answer.id;
  event.index = static_cast<int>(index);
  event.call.call = without_bulk(call(index));
  event.call.progress = work_[index]->progress;
  core_->publish(*live_, std::move(event));
}

void RunningCalls::end(std::size_t index, CallState state, std::string result) {
  call(index).state = state;
  call(index).started_at = 0;
  call(index).result = std::move(result);
  publish(index);
  record(index);
  changed_.notify();
}

bool RunningCalls::wait_for_people() const {
  std::size_t num_waiting = 0;
  for (std::size_t i = 0; i < work_.size(); ++i) {
    const CallState state = turn_.answer.calls[i].state;
    if (has_ended(state)) continue;
    if (state != CallState::awaiting_approval || work_[i]->decision) return false;
    ++num_waiting;
  }
  return are_planned_ && num_waiting > 0;
}

// Of calls that a tool was found for: what the log of calls is about.
void RunningCalls::record(std::size_t index) {
  const Work& work = *work_[index];
  if (!work.plan.tool) return;
  core_->options.tools->record(audit_record(call(index), work.plan, live_->record.id));
}

// What can be said of a call before anybody is asked.
void RunningCalls::settle(std::size_t index) {
  Work& work = *work_[index];
  ToolCall& one = call(index);
  if (has_ended(one.state)) return;
  if (work.plan.tool) {
    const tools::ToolSpec& spec = work.plan.tool->spec();
    one.source = spec.source;
    // Before a restart the user was shown another tool: to have allowed that one is no answer for this one.
    const bool has_changed = spec.definition_hash != one.definition;
    if (has_changed && work.decision != CallDecision::deny) work.decision.reset();
    one.definition = spec.definition_hash;
  }
  one.preview = work.plan.preview;
  CallVerdict verdict =
      judge_call(*core_->options.tools, turn_.repeats, work.plan, work.broken, live_->record.id);
  switch (verdict.kind) {
    case CallVerdict::Kind::fail:
      return end(index, CallState::failed, std::move(verdict.result));
    case CallVerdict::Kind::deny:
      one.decision = "denied";
      return end(index, CallState::denied, std::move(verdict.result));
    case CallVerdict::Kind::run:
      one.state = CallState::writing;  // also where it waited for a user before a restart
      if (one.decision.empty()) one.decision = "auto";
      break;
    case CallVerdict::Kind::ask:
      one.state = CallState::awaiting_approval;
      publish(index);
      break;
  }
}

bool RunningCalls::decide(const std::string& id, CallDecision decision) {
  const auto index = find(id);
  if (!index || call(*index).state != CallState::awaiting_approval || work_[*index]->decision) return false;
  work_[*index]->decision = decision;
  changed_.notify();
  if (are_planned_) grant(*index);
  return true;
}

// Of a call whose decision lasts: what it allows from now on.
void RunningCalls::grant(std::size_t index) {
  const CallDecision decision = *work_[index]->decision;
  const bool lasts = decision == CallDecision::chat || decision == CallDecision::always;
  if (!lasts || is_denied_by_rules(index)) return;
  const auto scope =
      decision == CallDecision::chat ? tools::ApprovalScope::chat : tools::ApprovalScope::always;
  core_->options.tools->approve(work_[index]->plan.tool->spec(), live_->record.id, scope);
  for (std::size_t i = 0; i < work_.size(); ++i) {  // it may be the answer for others that wait
    Work& other = *work_[i];
    if (call(i).state != CallState::awaiting_approval || other.decision) continue;
    const auto now = core_->options.tools->decide(other.plan.tool->spec(), live_->record.id);
    if (now == tools::Decision::automatic) other.decision = decision;
  }
}

// The rules may have changed while the call waited.
bool RunningCalls::is_denied_by_rules(std::size_t index) const {
  const tools::ToolSpec& spec = work_[index]->plan.tool->spec();
  return core_->options.tools->decide(spec, live_->record.id) == tools::Decision::deny;
}

void RunningCalls::apply_decision(std::size_t index) {
  const CallDecision decision = *work_[index]->decision;
  call(index).decision = decision_name(decision);
  if (decision == CallDecision::deny) return end(index, CallState::denied, kDeniedByUser);
  if (is_denied_by_rules(index)) {
    call(index).decision = decision_name(CallDecision::deny);
    return end(index, CallState::denied, std::string(kDeniedByRules));
  }
  call(index).state = CallState::writing;  // it waits for nobody any more
  publish(index);
}

void RunningCalls::cancel(const std::string& id) {
  const auto index = find(id);
  if (!index || has_ended(call(*index).state)) return;
  work_[*index]->cancelled = true;
  work_[*index]->stop.request_stop();
  if (call(*index).state == CallState::awaiting_approval) end(*index, CallState::cancelled, kCancelled);
  changed_.notify();
}

// What waits for the user goes on waiting when the server ends.
void RunningCalls::stop(MessageStatus as) {
  stopped_ = as;
  for (std::size_t i = 0; i < work_.size(); ++i) {
    work_[i]->stop.request_stop();
    if (as == MessageStatus::stopped && call(i).state == CallState::awaiting_approval) {
      end(i, CallState::cancelled, kStopped);
    }
  }
  changed_.notify();
}

void RunningCalls::begin_running(std::size_t index) {
  call(index).state = CallState::running;
  call(index).started_at = core_->now();
  publish(index);
}

// What waits for a user stays as it is when the server stops: the user may come back after it has.
void RunningCalls::end_before_run(std::size_t index) {
  const CallState state = call(index).state;
  if (has_ended(state)) return;
  if (stopped_ == MessageStatus::interrupted && state == CallState::awaiting_approval) return;
  end(index, CallState::cancelled,
      stopped_ ? "The answer was stopped before this call ran."
               : "The user cancelled this call before it ran.");
}

void RunningCalls::end_running(std::size_t index, CallRun done) {
  ToolCall& one = call(index);
  CallOutcome& outcome = done.outcome;
  one.elapsed_ms = done.elapsed_ms;
  one.output = std::move(outcome.output);
  one.output_bytes = one.output.size();
  one.images = std::move(outcome.images);
  if (outcome.state != CallState::cancelled) return end(index, outcome.state, std::move(outcome.result));
  if (work_[index]->cancelled) return end(index, CallState::cancelled, kCancelled);
  if (stopped_ != MessageStatus::interrupted) return end(index, CallState::cancelled, kStopped);
  if (outcome.has_run) return end(index, CallState::interrupted, std::string(kMayHaveRun));
  end(index, CallState::cancelled, "The server was stopped before this call ran.");
}

void RunningCalls::on_progress(std::size_t index, const tools::ToolProgress& progress) {
  if (index >= work_.size() || call(index).state != CallState::running) return;
  work_[index]->progress = progress;
  publish(index);
}

void RunningCalls::forget_bulk(const sessions::Message& saved) {
  for (std::size_t i = 0; i < saved.calls.size(); ++i) {
    if (!has_ended(saved.calls[i].state)) continue;
    call(i).output.clear();
    for (calls::CallImage& image : call(i).images) image.bytes.clear();
  }
}

ResultLimit RunningCalls::result_limit(std::size_t index) const {
  ResultLimit limit;
  limit.tokens = result_tokens(core_->options.tools->limits(), core_->model.info().max_context, work_.size());
  limit.count = core_->model.token_counter();
  if (offered_.find(tools::kOutputReader)) limit.where_rest = where_rest_of(turn_.answer.calls[index].id);
  return limit;
}

}  // namespace parley::orchestration::turn
