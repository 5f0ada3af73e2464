#include "retrieval/ingest/command_queue.h"

#include <utility>

#include "retrieval/ingest/indexer.h"

namespace parley::retrieval::ingest {

void CommandQueue::post(std::function<void()> command) {
  const std::lock_guard lock(mutex_);
  if (closed_) throw IndexError("The index has stopped: " + reason_);
  commands_.push_back(std::move(command));
  woken_ = true;
  changed_.notify_all();
}

void CommandQueue::wake() {
  const std::lock_guard lock(mutex_);
  woken_ = true;
  changed_.notify_all();
}

bool CommandQueue::run_all() {
  std::deque<std::function<void()>> commands;
  {
    const std::lock_guard lock(mutex_);
    commands.swap(commands_);
  }
  for (auto& command : commands) command();
  return !commands.empty();
}

void CommandQueue::sleep(std::chrono::milliseconds longest, std::stop_token stop) {
  std::unique_lock lock(mutex_);
  changed_.wait_for(lock, std::move(stop), longest, [this] { return woken_; });
  woken_ = false;
}

void CommandQueue::close(const std::string& reason) {
  {
    const std::lock_guard lock(mutex_);
    closed_ = true;
    reason_ = reason;
  }
  run_all();
}

}  // namespace parley::retrieval::ingest
