#pragma once
// Saves a growing answer: what comes is written at most `interval` later, in one piece. I/O thread; the store
// is used on its own thread. A failed write ends the saving and is told once.

#include <cstdint>
#include <exception>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include <boost/asio/awaitable.hpp>
#include <boost/asio/steady_timer.hpp>

#include "orchestration/turn/hub_core.h"
#include "orchestration/turn/wakeup.h"

namespace parley::orchestration::turn {

class AnswerSaver : public std::enable_shared_from_this<AnswerSaver> {
 public:
  // `on_failure` is called once, on the I/O thread.
  AnswerSaver(CorePtr core, std::string conversation, std::string message, std::function<void()> on_failure);

  void add(std::string_view text, const std::vector<std::int32_t>& token_ids);

  // What has not been written is dropped. When it returns, no write is on its way. Throws what a write threw.
  static boost::asio::awaitable<void> stop(std::shared_ptr<AnswerSaver> saver);

 private:
  void start_unless_running();
  static boost::asio::awaitable<void> write_after_interval(std::shared_ptr<AnswerSaver> saver);
  void write_ended(std::exception_ptr failure);

  const CorePtr core_;
  const std::string conversation_;
  const std::string message_;
  std::function<void()> on_failure_;
  std::string text_;
  std::vector<std::int32_t> token_ids_;
  bool running_ = false;
  bool stopping_ = false;
  std::exception_ptr failure_;
  boost::asio::steady_timer timer_;
  Wakeup ended_;
};

}  // namespace parley::orchestration::turn
