#include "app/http/transport.h"

#include <array>
#include <utility>

#include <boost/asio/bind_cancellation_slot.hpp>
#include <boost/asio/buffer.hpp>
#include <boost/asio/redirect_error.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <boost/system/error_code.hpp>

namespace parley::app::http {

namespace asio = boost::asio;
using boost::system::error_code;

namespace {
constexpr std::size_t kReadBytes = 16u << 10;
constexpr std::size_t kMaxLingerBytes = 1u << 20;
}  // namespace

Transport::Transport(asio::ip::tcp::socket socket, const HttpLimits& limits)
    : socket_(std::move(socket)),
      limits_(limits),
      read_deadline_(socket_.get_executor(), [this] { cancel_read(); }),
      write_guard_(socket_, [this] { abort(); }) {
  error_code ignored;
  socket_.set_option(asio::ip::tcp::no_delay(true), ignored);
}

void Transport::cancel_read() { read_signal_.emit(asio::cancellation_type::terminal); }

asio::awaitable<bool> Transport::read_some(std::string& into, std::chrono::milliseconds limit) {
  error_code error;
  read_deadline_.arm(limit);
  auto token = asio::bind_cancellation_slot(read_signal_.slot(), asio::use_awaitable);
  co_await socket_.async_wait(asio::ip::tcp::socket::wait_read, asio::redirect_error(token, error));
  read_deadline_.disarm();
  if (error) co_return false;
  co_return take_bytes(into);
}

// Not part of the coroutine, whose frame would keep the buffer while a connection idles.
bool Transport::take_bytes(std::string& into) {
  std::array<char, kReadBytes> bytes;
  error_code error;
  socket_.non_blocking(true, error);
  const std::size_t count = socket_.read_some(asio::buffer(bytes), error);
  into.append(bytes.data(), count);
  return !error || error == asio::error::would_block;
}

asio::awaitable<bool> Transport::write(std::string_view bytes) {
  while (!bytes.empty()) {
    error_code error;
    write_guard_.arm(limits_.write_stall);
    const std::size_t sent = co_await socket_.async_write_some(
        asio::buffer(bytes.data(), bytes.size()), asio::redirect_error(asio::use_awaitable, error));
    write_guard_.disarm();
    if (error) co_return false;
    bytes.remove_prefix(sent);
  }
  co_return true;
}

asio::awaitable<void> Transport::close_gently() {
  error_code ignored;
  socket_.shutdown(asio::ip::tcp::socket::shutdown_send, ignored);
  std::string dropped;
  std::size_t total = 0;
  const auto end = std::chrono::steady_clock::now() + limits_.linger;
  while (total < kMaxLingerBytes) {
    const auto left = std::chrono::duration_cast<milliseconds>(end - std::chrono::steady_clock::now());
    if (left <= milliseconds(0)) break;
    const bool more = co_await read_some(dropped, left);
    if (!more) break;
    total += dropped.size();
    dropped.clear();
  }
}

void Transport::abort() {
  error_code ignored;
  socket_.close(ignored);
}

asio::ip::tcp::socket Transport::release() {
  read_deadline_.disarm();
  write_guard_.disarm();
  return std::move(socket_);
}

}  // namespace parley::app::http
