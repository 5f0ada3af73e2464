#pragma once
// The last lines that a server wrote for people (standard error, log messages) and what we noted about it.
// Bounded, whatever the server does. Any thread; never fails.

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <mutex>
#include <string>
#include <string_view>
#include <vector>

namespace parley::orchestration::mcp {

struct LogLine {
  enum class Origin : std::uint8_t {
    error_stream,  // standard error
    message,       // a log message of the protocol
    note,          // ours
  };
  std::chrono::system_clock::time_point time;
  Origin origin = Origin::note;
  std::string text;  // one line of plain text
};

class ServerLog {
 public:
  static constexpr std::size_t kMaxLines = 300;
  static constexpr std::size_t kMaxLineBytes = 1000;

  void add(LogLine::Origin origin, std::string_view text);
  std::vector<LogLine> lines() const;
  std::size_t dropped() const;  // older lines that are gone

 private:
  mutable std::mutex mutex_;
  std::deque<LogLine> lines_;
  std::size_t dropped_ = 0;
};

}  // namespace parley::orchestration::mcp
