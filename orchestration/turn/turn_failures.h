#pragma once
// A turn has no caller who could catch: this is where its exceptions become values.

#include <exception>
#include <string>

#include <boost/asio/awaitable.hpp>

namespace parley::orchestration::turn {

// A sentence; empty: nothing was thrown.
boost::asio::awaitable<std::string> failure_of(boost::asio::awaitable<void> work);

// Null: nothing was thrown.
boost::asio::awaitable<std::exception_ptr> exception_of(boost::asio::awaitable<void> work);

}  // namespace parley::orchestration::turn
