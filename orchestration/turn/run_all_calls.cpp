// RunningCalls::run_all, the part of it that waits: for people, for places, for tools.
#include <algorithm>
#include <chrono>
#include <functional>
#include <memory>
#include <utility>

#include <boost/asio/co_spawn.hpp>

#include "orchestration/turn/run_blocking.h"
#include "orchestration/turn/running_calls.h"

namespace parley::orchestration::turn {

namespace asio = boost::asio;
using Clock = std::chrono::steady_clock;
using sessions::CallState;
using sessions::Message;
using sessions::MessageStatus;

namespace {

constexpr std::chrono::milliseconds kProgressInterval{100};  // between two reports of a call

}  // namespace

asio::awaitable<void> RunningCalls::save(Self self, TurnPtr turn) {
  auto guard = co_await self->live_->lock.acquire();
  Message answer = turn->answer;
  answer.text = self->live_->log.text();
  HubCore& core = *self->core_;
  auto work = [&] { core.store.update_message(self->live_->record.id, answer); };
  co_await run_blocking(core.store_thread, work);
  self->forget_bulk(answer);
}

asio::awaitable<void> RunningCalls::plan_all(Self self) {
  std::vector<prompt::MessageCall> made;
  for (std::size_t i = 0; i < self->work_.size(); ++i)
    made.push_back({self->call(i).id, self->call(i).name, self->call(i).arguments});
  auto plans = co_await plan_calls(*self->core_->options.tools, self->offered_, std::move(made));
  for (std::size_t i = 0; i < plans.size(); ++i) self->work_[i]->plan = std::move(plans[i]);
}

asio::awaitable<void> RunningCalls::run_all(std::shared_ptr<RunningCalls> self, TurnPtr turn) {
  co_await plan_all(self);
  for (std::size_t i = 0; i < self->work_.size(); ++i) self->settle(i);
  self->are_planned_ = true;
  for (std::size_t i = 0; i < self->work_.size(); ++i) {
    const bool is_decided = self->call(i).state == CallState::awaiting_approval && self->work_[i]->decision;
    if (is_decided) self->grant(i);
  }
  if (turn->decided) self->decide(turn->decided->first, turn->decided->second);
  if (self->stopped_) self->stop(*self->stopped_);
  co_await save(self, turn);
  for (std::size_t i = 0; i < self->work_.size(); ++i) {
    const CallState state = self->call(i).state;
    if (state != CallState::writing && state != CallState::awaiting_approval) continue;
    ++self->driving_;
    auto ended = [self](const std::exception_ptr& failure) {
      --self->driving_;
      if (failure && !self->failure_) {
        self->failure_ = failure;
        self->stop(MessageStatus::interrupted);  // the others end too
      }
      self->changed_.notify();
    };
    asio::co_spawn(self->core_->executor, drive(self, turn, i), std::move(ended));
  }
  while (self->driving_ > 0) co_await self->changed_.wait();
  turn->waited_for_people += self->waited_;
  if (self->failure_) std::rethrow_exception(self->failure_);
}

asio::awaitable<void> RunningCalls::drive(Self self, TurnPtr turn, std::size_t index) {
  co_await wait_for_decision(self, index);
  const CallState state = self->call(index).state;
  if (state != CallState::writing && state != CallState::awaiting_approval)
    co_return co_await save(self, turn);
  const std::function<bool()> is_over = [self, index] {
    return self->stopped_ || self->work_[index]->cancelled;
  };
  const auto place = co_await self->places_.take(self->work_[index]->plan.tool, is_over);
  if (place) co_return co_await run(self, turn, index);
  self->end_before_run(index);
  co_await save(self, turn);
}

// Time that a person takes does not count as the turn's.
asio::awaitable<void> RunningCalls::wait_for_decision(Self self, std::size_t index) {
  if (self->call(index).state != CallState::awaiting_approval) co_return;
  const auto begin = Clock::now();
  Work& work = *self->work_[index];
  while (self->call(index).state == CallState::awaiting_approval && !work.decision && !self->stopped_) {
    co_await self->changed_.wait();
  }
  self->waited_ = std::max<Clock::duration>(self->waited_, Clock::now() - begin);
  if (self->call(index).state != CallState::awaiting_approval) co_return;
  if (work.decision) co_return self->apply_decision(index);
}

std::shared_ptr<ProgressRelay> RunningCalls::relay_to(const Self& self, std::size_t index) {
  auto tell = [self, index](const tools::ToolProgress& progress) { self->on_progress(index, progress); };
  return std::make_shared<ProgressRelay>(self->core_->executor, kProgressInterval, std::move(tell));
}

tools::CallContext RunningCalls::context_of(std::size_t index, std::shared_ptr<ProgressRelay> relay) const {
  tools::CallContext context;
  context.stop = work_[index]->stop.get_token();
  context.chat = live_->record.id;
  context.progress = [relay = std::move(relay)](const tools::ToolProgress& progress) {
    relay->push(progress);
  };
  return context;
}

asio::awaitable<void> RunningCalls::run(Self self, TurnPtr turn, std::size_t index) {
  self->begin_running(index);
  co_await save(self, turn);
  const std::shared_ptr<ProgressRelay> relay = relay_to(self, index);  // shared with the tool's thread
  tools::CallContext context = self->context_of(index, relay);
  ResultLimit limit = self->result_limit(index);
  Work& work = *self->work_[index];
  CallRun done =
      co_await run_planned_call(*self->core_->options.tools, work.plan, std::move(context), std::move(limit));
  if (auto last = relay->close()) work.progress = *std::move(last);
  self->end_running(index, std::move(done));
  co_await save(self, turn);
}

}  // namespace parley::orchestration::turn
