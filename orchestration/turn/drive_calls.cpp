// The part of RunningCalls that waits: for people, for places, for tools.
#include <algorithm>
#include <chrono>
#include <functional>
#include <utility>

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/post.hpp>

#include "orchestration/turn/run_blocking.h"
#include "orchestration/turn/running_calls.h"

namespace parley::orchestration::turn {

namespace asio = boost::asio;
using Clock = std::chrono::steady_clock;
using sessions::CallState;
using sessions::Message;
using sessions::MessageStatus;

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

tools::CallContext RunningCalls::context_of(const Self& self, std::size_t index) {
  tools::CallContext context;
  context.stop = work_[index]->stop.get_token();
  context.chat = live_->record.id;
  context.progress = [self, index](const tools::ToolProgress& progress) {
    asio::post(self->core_->executor, [self, index, progress] { self->on_progress(index, progress); });
  };
  return context;
}

asio::awaitable<void> RunningCalls::run(Self self, TurnPtr turn, std::size_t index) {
  self->begin_running(index);
  co_await save(self, turn);
  tools::CallContext context = self->context_of(self, index);
  ResultLimit limit = self->result_limit(index);
  const CallPlan& plan = self->work_[index]->plan;
  CallRun done =
      co_await run_planned_call(*self->core_->options.tools, plan, std::move(context), std::move(limit));
  self->end_running(index, std::move(done));
  co_await save(self, turn);
}

}  // namespace parley::orchestration::turn
