#include "app/http/stall_guard.h"

#include <utility>

#include "app/http/send_progress.h"

namespace parley::app::http {

StallGuard::StallGuard(boost::asio::ip::tcp::socket& socket, std::function<void()> on_stall)
    : socket_(socket), on_stall_(std::move(on_stall)), deadline_(socket.get_executor(), [this] { look(); }) {}

void StallGuard::arm(std::chrono::milliseconds limit) {
  limit_ = limit;
  bytes_taken_ = send_progress(socket_.native_handle()).bytes_taken;
  deadline_.arm(limit);
}

void StallGuard::disarm() { deadline_.disarm(); }

void StallGuard::look() {
  const std::uint64_t taken = send_progress(socket_.native_handle()).bytes_taken;
  if (taken <= bytes_taken_) {
    on_stall_();
  } else {
    bytes_taken_ = taken;
    deadline_.arm(limit_);
  }
}

}  // namespace parley::app::http
