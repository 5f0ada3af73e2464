#include "orchestration/turn/turn_failures.h"

#include <utility>

namespace parley::orchestration::turn {

namespace asio = boost::asio;

asio::awaitable<std::string> failure_of(asio::awaitable<void> work) {
  try {
    co_await std::move(work);
  } catch (const std::exception& error) {
    co_return error.what();
  } catch (...) {
    co_return "an unknown error";
  }
  co_return std::string();
}

asio::awaitable<std::exception_ptr> exception_of(asio::awaitable<void> work) {
  try {
    co_await std::move(work);
  } catch (...) {
    co_return std::current_exception();
  }
  co_return nullptr;
}

}  // namespace parley::orchestration::turn
