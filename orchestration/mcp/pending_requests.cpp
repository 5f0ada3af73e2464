#include "orchestration/mcp/pending_requests.h"

#include <algorithm>
#include <utility>

namespace parley::orchestration::mcp {
namespace {

using Clock = std::chrono::steady_clock;

// condition variables overflow on the end of time
constexpr std::chrono::hours kFar{24 * 365};

Clock::time_point end_of_wait(const Wait& wait, Clock::time_point last_news) {
  Clock::time_point end = std::min(wait.deadline, Clock::now() + kFar);
  if (wait.quiet.count() > 0) end = std::min(end, last_news + wait.quiet);
  return end;
}

RequestFailure given_up(const Wait& wait) {
  if (wait.stop.stop_requested()) {
    return {.kind = RequestFailure::Kind::cancelled, .message = "cancelled", .code = 0, .data = {}};
  }
  return {.kind = RequestFailure::Kind::timed_out, .message = "no answer in time", .code = 0, .data = {}};
}

}  // namespace

RequestFailure PendingRequests::closed() const {
  return {.kind = RequestFailure::Kind::closed, .message = *closed_, .code = 0, .data = {}};
}

std::int64_t PendingRequests::open() {
  const std::lock_guard lock(mutex_);
  Pending& mine = pending_[++last_id_];
  mine.last_news = Clock::now();
  if (closed_) mine.reply = closed();
  return last_id_;
}

Reply PendingRequests::wait(std::int64_t id, const Wait& wait) {
  std::unique_lock lock(mutex_);
  Pending& mine = pending_.at(id);
  while (!mine.reply) {
    const bool woken = changed_.wait_until(lock, wait.stop, end_of_wait(wait, mine.last_news),
                                           [&mine] { return mine.reply || mine.news; });
    if (mine.reply) break;
    if (!woken) {
      mine.reply = given_up(wait);
      given_up_.push_back(id);
      if (given_up_.size() > kMaxGivenUp) given_up_.pop_front();
      break;
    }
    const Progress news = std::move(*mine.news);
    mine.news.reset();
    lock.unlock();
    if (wait.on_progress) wait.on_progress(news);
    lock.lock();
  }
  Reply reply = std::move(*mine.reply);
  pending_.erase(id);
  return reply;
}

bool PendingRequests::take_late(std::int64_t id) {
  const std::lock_guard lock(mutex_);
  return std::erase(given_up_, id) > 0;
}

bool PendingRequests::settle(std::int64_t id, Reply reply) {
  const std::lock_guard lock(mutex_);
  const auto found = pending_.find(id);
  if (found == pending_.end() || found->second.reply) return false;
  found->second.reply = std::move(reply);
  changed_.notify_all();
  return true;
}

bool PendingRequests::report(std::int64_t id, Progress progress) {
  const std::lock_guard lock(mutex_);
  const auto found = pending_.find(id);
  if (found == pending_.end() || found->second.reply) return false;
  found->second.news = std::move(progress);
  found->second.last_news = Clock::now();
  changed_.notify_all();
  return true;
}

void PendingRequests::close(const std::string& reason) {
  const std::lock_guard lock(mutex_);
  if (closed_) return;
  closed_ = reason;
  for (auto& [id, pending] : pending_) {
    if (!pending.reply) pending.reply = closed();
  }
  changed_.notify_all();
}

}  // namespace parley::orchestration::mcp
