// The part of RunningCalls that waits: for people, for places, for tools.
#include <algorithm>
#include <chrono>
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

// Parsing and checking arguments of a megabyte is no work for the I/O thread.
asio::awaitable<void> RunningCalls::plan_all(Self self) {
  struct Job {
    std::string name;
    std::string arguments;
    CallPlan plan;
  };
  std::vector<Job> jobs;
  for (std::size_t i = 0; i < self->work_.size(); ++i) {
    Job job;
    job.name = self->call(i).name;
    job.arguments = self->call(i).arguments;
    jobs.push_back(std::move(job));
  }
  auto plan = [&] {
    for (Job& job : jobs) job.plan = plan_call(self->offered_, job.name, job.arguments);
  };
  co_await run_blocking(self->core_->options.tools->threads(), plan);
  for (std::size_t i = 0; i < jobs.size(); ++i) self->work_[i]->plan = std::move(jobs[i].plan);
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
  const bool has_place = co_await take_place(self, index);
  if (!has_place) co_return co_await save(self, turn);
  ++self->running_;
  auto body = run(self, turn, index);
  std::exception_ptr failure;
  try {
    co_await std::move(body);
  } catch (...) {
    failure = std::current_exception();
  }
  --self->running_;
  self->core_->options.tools->free_place(self->work_[index]->plan.tool->spec());
  self->changed_.notify();
  if (failure) std::rethrow_exception(failure);
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

// False: the call has ended, or waits for a user who may come back after the server has.
asio::awaitable<bool> RunningCalls::take_place(Self self, std::size_t index) {
  ToolDesk& desk = *self->core_->options.tools;
  Work& work = *self->work_[index];
  const tools::ToolSpec& spec = work.plan.tool->spec();
  for (;;) {
    const CallState state = self->call(index).state;
    if (state == CallState::awaiting_approval && self->stopped_ == MessageStatus::interrupted)
      co_return false;
    if (state != CallState::writing && state != CallState::awaiting_approval) co_return false;
    if (self->stopped_) {
      self->end(index, CallState::cancelled, "The answer was stopped before this call ran.");
      co_return false;
    }
    if (work.cancelled) {
      self->end(index, CallState::cancelled, "The user cancelled this call before it ran.");
      co_return false;
    }
    const bool turn_has_room = self->running_ < desk.limits().max_parallel;
    if (turn_has_room && desk.try_take_place(spec)) co_return true;
    if (turn_has_room) {
      co_await desk.freed.wait_until(Clock::now() + std::chrono::milliseconds(200));
    } else {
      co_await self->changed_.wait();
    }
  }
}

tools::CallContext RunningCalls::context_of(const Self& self, std::size_t index) {
  tools::CallContext context;
  context.deadline = Clock::now() + core_->options.tools->limits().call_timeout;
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
  const auto begin = Clock::now();
  const tools::CallContext context = self->context_of(self, index);
  const ResultLimit limit = self->result_limit(index);
  const CallPlan& plan = self->work_[index]->plan;
  auto work = [&] { return run_call(plan, context, limit); };
  CallOutcome outcome = co_await run_blocking(self->core_->options.tools->threads(), work);
  const std::chrono::duration<double, std::milli> elapsed = Clock::now() - begin;
  self->end_running(index, std::move(outcome), elapsed.count());
  co_await save(self, turn);
}

}  // namespace parley::orchestration::turn
