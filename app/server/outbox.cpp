#include "app/server/outbox.h"

#include <utility>

namespace parley::app::server {

namespace asio = boost::asio;

asio::awaitable<void> Outbox::wait_for_room() {
  while (num_bytes_ >= max_bytes_ && !closed_) co_await changed_.wait();
}

void Outbox::put(std::string frame) {
  if (closed_) return;
  num_bytes_ += frame.size();
  frames_.push_back(std::move(frame));
  changed_.notify();
}

asio::awaitable<std::optional<std::string>> Outbox::pop() {
  while (frames_.empty() && !closed_) co_await changed_.wait();
  if (closed_) co_return std::nullopt;
  std::string frame = std::move(frames_.front());
  frames_.pop_front();
  num_bytes_ -= frame.size();
  changed_.notify();
  co_return frame;
}

void Outbox::close() {
  closed_ = true;
  frames_.clear();
  num_bytes_ = 0;
  changed_.notify();
}

}  // namespace parley::app::server
