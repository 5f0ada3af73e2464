#pragma once
// A tool's progress on its way from the tool's thread to the loop. However fast a tool reports, at most one
// handler of it waits in the loop; the newest report is told, once in an interval at most, and the last one
// always. push() on any thread, everything else on the executor's. Never fails but for memory.

#include <chrono>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/steady_timer.hpp>

#include "orchestration/tools/tool.h"

namespace parley::orchestration::turn {

class ProgressRelay : public std::enable_shared_from_this<ProgressRelay> {  // shared with handlers under way
 public:
  using Tell = std::function<void(const tools::ToolProgress&)>;  // on the executor

  ProgressRelay(boost::asio::any_io_executor executor, std::chrono::milliseconds interval, Tell tell);

  void push(tools::ToolProgress progress);

  // Nothing is told from now on. What is returned was not told yet.
  std::optional<tools::ToolProgress> close();

 private:
  void deliver();
  void tell_newest();
  std::optional<tools::ToolProgress> take_newest();

  const boost::asio::any_io_executor executor_;
  const std::chrono::milliseconds interval_;
  Tell tell_;  // empty: closed
  std::chrono::steady_clock::time_point told_{};
  boost::asio::steady_timer timer_;
  std::mutex mutex_;  // for what follows
  std::optional<tools::ToolProgress> newest_;
  bool is_under_way_ = false;  // a handler is posted, or the timer runs
};

}  // namespace parley::orchestration::turn
