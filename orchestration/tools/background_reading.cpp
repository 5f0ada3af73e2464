#include "orchestration/tools/background_reading.h"

#include <condition_variable>
#include <exception>
#include <utility>

namespace parley::orchestration::tools {
namespace {

void pause_for(std::chrono::milliseconds time, const std::stop_token& stop) {
  std::mutex mutex;
  std::unique_lock lock(mutex);
  std::condition_variable_any().wait_for(lock, stop, time, [] { return false; });
}

}  // namespace

BackgroundReading::BackgroundReading(Parts parts, ReadTools before)
    : parts_(std::move(parts)),
      found_(std::move(before)),
      thread_([this](const std::stop_token& stop) { run(stop); }) {}

ReadTools BackgroundReading::found() const {
  const std::lock_guard lock(mutex_);
  return found_;
}

bool BackgroundReading::is_first() const {
  const std::lock_guard lock(mutex_);
  return is_first_;
}

ReadTools BackgroundReading::read_or_fail(const std::stop_token& stop) const {
  try {
    return parts_.read(stop);
  } catch (const std::exception& error) {
    return {.tools = {},
            .issues = {{.severity = ConfigIssue::Severity::error,
                        .place = parts_.place,
                        .message = std::string("Parley could not read it: ") + error.what()}},
            .failed = true};
  }
}

void BackgroundReading::run(const std::stop_token& stop) {
  while (!stop.stop_requested()) {
    ReadTools next = read_or_fail(stop);
    if (stop.stop_requested()) return;
    const bool failed = next.failed;
    {
      const std::lock_guard lock(mutex_);
      found_ = std::move(next);
      is_first_ = false;
    }
    parts_.on_change();
    if (!failed) return;
    pause_for(parts_.pause, stop);
  }
}

}  // namespace parley::orchestration::tools
