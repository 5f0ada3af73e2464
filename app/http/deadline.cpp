#include "app/http/deadline.h"

#include <cstdint>
#include <utility>

#include <boost/asio/steady_timer.hpp>
#include <boost/system/error_code.hpp>

namespace parley::app::http {

struct Deadline::State {
  State(const boost::asio::any_io_executor& executor, std::function<void()> action)
      : timer(executor), on_expiry(std::move(action)) {}

  boost::asio::steady_timer timer;
  std::function<void()> on_expiry;
  std::uint64_t round = 0;  // an expiry that was queued before disarm() belongs to an older round
  bool expired = false;
};

Deadline::Deadline(const boost::asio::any_io_executor& executor, std::function<void()> on_expiry)
    : state_(std::make_shared<State>(executor, std::move(on_expiry))) {}

Deadline::~Deadline() { disarm(); }

void Deadline::arm(std::chrono::milliseconds after) {
  const std::uint64_t round = ++state_->round;
  state_->expired = false;
  state_->timer.expires_after(after);
  std::weak_ptr<State> weak = state_;
  state_->timer.async_wait([weak, round](const boost::system::error_code& error) {
    const auto state = weak.lock();
    if (error || state == nullptr || state->round != round) return;
    state->expired = true;
    state->on_expiry();
  });
}

void Deadline::disarm() {
  ++state_->round;
  state_->timer.cancel();
}

bool Deadline::expired() const { return state_->expired; }

}  // namespace parley::app::http
