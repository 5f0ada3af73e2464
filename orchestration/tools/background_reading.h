#pragma once
// Reads tools that take time to be had (a description that is fetched, a program that lists them) on a thread
// of its own, and again after a pause as long as that fails. Any thread; the destructor stops the reading and
// waits for that. What `read` throws is an issue like any other.

#include <chrono>
#include <functional>
#include <mutex>
#include <stop_token>
#include <string>
#include <thread>
#include <vector>

#include "orchestration/tools/tool_set.h"
#include "orchestration/tools/tools_file.h"

namespace parley::orchestration::tools {

struct ReadTools {
  std::vector<ToolPointer> tools;
  std::vector<ConfigIssue> issues;
  bool failed = false;  // to be read again
};

class BackgroundReading {
 public:
  struct Parts {
    std::string place;  // in the tools file, of issues
    std::function<ReadTools(const std::stop_token&)> read;
    std::chrono::milliseconds pause{30000};  // before it is read again
    std::function<void()> on_change;         // there is something new; on the reading thread
  };

  explicit BackgroundReading(Parts parts, ReadTools before = {});

  const std::string& place() const { return parts_.place; }
  ReadTools found() const;  // the newest; `before` until there is one
  bool is_first() const;    // nothing was read yet
  void request_stop() { thread_.request_stop(); }

 private:
  void run(const std::stop_token& stop);
  ReadTools read_or_fail(const std::stop_token& stop) const;

  const Parts parts_;
  mutable std::mutex mutex_;
  ReadTools found_;
  bool is_first_ = true;
  std::jthread thread_;  // last: it uses the rest
};

}  // namespace parley::orchestration::tools
