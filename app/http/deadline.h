#pragma once
// Calls something when time is up, unless disarmed before. For one thread; may be destroyed at any moment
// there, after which nothing is called. Never fails.

#include <chrono>
#include <functional>
#include <memory>

#include <boost/asio/any_io_executor.hpp>

namespace parley::app::http {

class Deadline {
 public:
  Deadline(const boost::asio::any_io_executor& executor, std::function<void()> on_expiry);
  ~Deadline();
  Deadline(const Deadline&) = delete;
  Deadline& operator=(const Deadline&) = delete;

  void arm(std::chrono::milliseconds after);  // again: from now
  void disarm();
  bool expired() const;  // since the last arm()

 private:
  struct State;
  // Handlers of the timer hold it weakly: they may run after the owner is gone.
  std::shared_ptr<State> state_;
};

}  // namespace parley::app::http
