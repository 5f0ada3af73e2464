#include "orchestration/mcp/server_log.h"

#include <utility>

#include "orchestration/mcp/plain_text.h"

namespace parley::orchestration::mcp {

void ServerLog::add(LogLine::Origin origin, std::string_view text) {
  LogLine line{
      .time = std::chrono::system_clock::now(), .origin = origin, .text = plain_line(text, kMaxLineBytes)};
  if (line.text.find_first_not_of(" \t") == std::string::npos) return;
  const std::lock_guard lock(mutex_);
  lines_.push_back(std::move(line));
  if (lines_.size() <= kMaxLines) return;
  lines_.pop_front();
  ++dropped_;
}

std::vector<LogLine> ServerLog::lines() const {
  const std::lock_guard lock(mutex_);
  return {lines_.begin(), lines_.end()};
}

std::size_t ServerLog::dropped() const {
  const std::lock_guard lock(mutex_);
  return dropped_;
}

}  // namespace parley::orchestration::mcp
