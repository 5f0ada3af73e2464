#include "app/api/pending_event.h"

#include <exception>
#include <optional>
#include <utility>

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/redirect_error.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <boost/system/error_code.hpp>

namespace parley::app::api {

namespace asio = boost::asio;
using orchestration::turn::ChatEvent;

struct PendingEvent::State {
  explicit State(const asio::any_io_executor& executor) : arrived(executor) {}

  asio::steady_timer arrived;
  std::optional<ChatEvent> event;
  std::exception_ptr failure;
};

PendingEvent::PendingEvent(const asio::any_io_executor& executor, orchestration::turn::ChatStream& stream)
    : state_(std::make_shared<State>(executor)) {
  asio::co_spawn(executor, stream.next(),
                 [state = state_](const std::exception_ptr& failure, ChatEvent event) {
                   state->failure = failure;
                   state->event = std::move(event);
                   state->arrived.cancel();
                 });
}

asio::awaitable<bool> PendingEvent::wait(std::chrono::milliseconds limit) {
  if (!state_->event) {
    boost::system::error_code ignored;
    state_->arrived.expires_after(limit);
    co_await state_->arrived.async_wait(asio::redirect_error(asio::use_awaitable, ignored));
  }
  co_return state_->event.has_value();
}

ChatEvent PendingEvent::take() {
  if (state_->failure) std::rethrow_exception(state_->failure);
  return std::move(*state_->event);
}

}  // namespace parley::app::api
