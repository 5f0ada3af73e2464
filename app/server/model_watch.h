#pragma once
// Notices that the model's loading goes on, ends or fails, and wakes the sockets that tell their clients. I/O
// thread. run() throws what `each_time` throws; nothing else fails.

#include <cstdint>
#include <functional>

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/awaitable.hpp>
#include <boost/asio/steady_timer.hpp>

#include "app/protocol/frames.h"
#include "orchestration/turn/model_slot.h"
#include "orchestration/turn/wakeup.h"

namespace parley::app::server {

protocol::ModelView view_of(const orchestration::turn::ModelSlot& slot);

class ModelWatch {
 public:
  ModelWatch(const boost::asio::any_io_executor& executor, orchestration::turn::ModelSlot& slot);

  // Looks at the slot, and calls `each_time`, four times a second until stop().
  boost::asio::awaitable<void> run(std::function<void()> each_time);
  void stop();

  std::uint64_t version() const { return version_; }  // rises with each change
  protocol::ModelView view() const { return view_of(slot_); }
  boost::asio::awaitable<void> changed() { return changed_.wait(); }

 private:
  bool look();

  orchestration::turn::ModelSlot& slot_;
  boost::asio::steady_timer timer_;
  orchestration::turn::Wakeup changed_;
  std::uint64_t version_ = 0;
  orchestration::turn::ModelSlot::State state_;
  double progress_;
  bool stopped_ = false;
};

}  // namespace parley::app::server
