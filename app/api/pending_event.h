#pragma once
// The next event of an answer, on its way, so that the one who waits can do something in between. I/O thread;
// take() throws what the stream threw.

#include <chrono>
#include <memory>

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/awaitable.hpp>

#include "orchestration/turn/chat_model.h"

namespace parley::app::api {

class PendingEvent {
 public:
  // Asks `stream` at once. The stream must live until the event has arrived.
  PendingEvent(const boost::asio::any_io_executor& executor, orchestration::turn::ChatStream& stream);

  // True: it has arrived. False: not within `limit`.
  boost::asio::awaitable<bool> wait(std::chrono::milliseconds limit);
  // Once it has arrived. Throws what the stream has thrown.
  orchestration::turn::ChatEvent take();

 private:
  struct State;
  std::shared_ptr<State> state_;  // shared with the completion, which may come when nobody waits any more
};

}  // namespace parley::app::api
