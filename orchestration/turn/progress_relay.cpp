#include "orchestration/turn/progress_relay.h"

#include <utility>

#include <boost/asio/post.hpp>

namespace parley::orchestration::turn {

namespace asio = boost::asio;
using Clock = std::chrono::steady_clock;
using tools::ToolProgress;

ProgressRelay::ProgressRelay(asio::any_io_executor executor, std::chrono::milliseconds interval, Tell tell)
    : executor_(std::move(executor)), interval_(interval), tell_(std::move(tell)), timer_(executor_) {}

void ProgressRelay::push(ToolProgress progress) {
  {
    const std::lock_guard lock(mutex_);
    newest_ = std::move(progress);
    if (std::exchange(is_under_way_, true)) return;
  }
  asio::post(executor_, [self = shared_from_this()] { self->deliver(); });
}

void ProgressRelay::deliver() {
  if (!tell_) return;
  const Clock::time_point due = told_ + interval_;
  if (Clock::now() >= due) return tell_newest();
  timer_.expires_at(due);
  timer_.async_wait([self = shared_from_this()](const boost::system::error_code&) {
    if (self->tell_) self->tell_newest();
  });
}

void ProgressRelay::tell_newest() {
  const std::optional<ToolProgress> newest = take_newest();
  told_ = Clock::now();
  if (newest) tell_(*newest);
}

std::optional<ToolProgress> ProgressRelay::take_newest() {
  const std::lock_guard lock(mutex_);
  is_under_way_ = false;
  return std::exchange(newest_, std::nullopt);
}

std::optional<ToolProgress> ProgressRelay::close() {
  tell_ = nullptr;
  timer_.cancel();
  return take_newest();
}

}  // namespace parley::orchestration::turn
