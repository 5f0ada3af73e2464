#include "app/server/model_watch.h"

#include <chrono>

#include <boost/asio/redirect_error.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <boost/system/error_code.hpp>

namespace parley::app::server {

namespace asio = boost::asio;
using orchestration::turn::ModelSlot;

namespace {
constexpr std::chrono::milliseconds kInterval{250};
}

protocol::ModelView view_of(const ModelSlot& slot) {
  protocol::ModelView view;
  view.info = slot.info();
  view.state = slot.state();
  view.progress = slot.progress();
  if (slot.state() == ModelSlot::State::failed) view.error = slot.failure();
  return view;
}

ModelWatch::ModelWatch(const asio::any_io_executor& executor, ModelSlot& slot)
    : slot_(slot), timer_(executor), changed_(executor), state_(slot.state()), progress_(slot.progress()) {}

asio::awaitable<void> ModelWatch::run(std::function<void()> each_time) {
  while (!stopped_) {
    each_time();
    if (look()) {
      ++version_;
      changed_.notify();
    }
    boost::system::error_code ignored;
    timer_.expires_after(kInterval);
    co_await timer_.async_wait(asio::redirect_error(asio::use_awaitable, ignored));
  }
}

void ModelWatch::stop() {
  stopped_ = true;
  timer_.cancel();
}

bool ModelWatch::look() {
  const bool same = slot_.state() == state_ && slot_.progress() == progress_;
  state_ = slot_.state();
  progress_ = slot_.progress();
  return !same;
}

}  // namespace parley::app::server
