#include "app/server/command_queue.h"

#include <set>
#include <string_view>
#include <utility>

namespace parley::app::server {

namespace asio = boost::asio;

CommandQueue::Place::Place(CommandQueue& queue, Entry entry) : queue_(queue), entry_(std::move(entry)) {
  queue_.entries_.push_back(&entry_);
  queue_.num_bytes_ += entry_.num_bytes;
}

CommandQueue::Place::~Place() {
  queue_.entries_.remove(&entry_);
  queue_.num_bytes_ -= entry_.num_bytes;
  queue_.changed_.notify();
}

asio::awaitable<void> CommandQueue::Place::wait_for_turn() {
  while (!queue_.is_turn_of(entry_)) co_await queue_.changed_.wait();
}

bool CommandQueue::is_turn_of(const Entry& entry) const {
  std::set<std::string_view> ending;  // conversations
  std::set<std::string_view> held;    // of commands that wait for an end
  const auto waits = [&](const Entry& one) {
    return held.contains(one.conversation) || (one.kind != Kind::looks && ending.contains(one.conversation));
  };
  for (const Entry* before : entries_) {
    if (before == &entry) break;
    if (waits(*before)) {
      held.insert(before->conversation);
    } else if (before->kind == Kind::ends) {
      ending.insert(before->conversation);
    } else {
      return false;  // it is being done
    }
  }
  return !waits(entry);
}

asio::awaitable<void> CommandQueue::wait_until_below(std::size_t num_commands, std::size_t num_bytes) {
  while (entries_.size() >= num_commands || num_bytes_ >= num_bytes) co_await changed_.wait();
}

asio::awaitable<void> CommandQueue::wait_until_empty() {
  while (!entries_.empty()) co_await changed_.wait();
}

}  // namespace parley::app::server
