#include "app/http/web_socket.h"

#include <chrono>
#include <utility>

#include <boost/asio/bind_cancellation_slot.hpp>
#include <boost/asio/buffer.hpp>
#include <boost/asio/cancellation_signal.hpp>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/detached.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/redirect_error.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <boost/beast/core/flat_buffer.hpp>
#include <boost/beast/websocket/stream.hpp>

#include "app/http/deadline.h"
#include "app/http/receive_pace.h"
#include "app/http/send_progress.h"
#include "app/http/stall_guard.h"
#include "orchestration/turn/wakeup.h"

namespace parley::app::http {
namespace {

namespace asio = boost::asio;
namespace websocket = boost::beast::websocket;
using boost::system::error_code;
using Clock = std::chrono::steady_clock;
using Stream = websocket::stream<asio::ip::tcp::socket, false>;  // false: no compression in the code at all

// A waiting read holds a buffer of its step, so the first one is small: most sockets idle.
constexpr std::size_t kFirstReadStep = 1u << 10;
constexpr std::size_t kReadStep = 64u << 10;
constexpr std::size_t kFragmentBytes = 64u << 10;

// The handshake as Beast gets it: it has room for 1.5 KiB, cookies alone can take more. The request as it
// came has been checked already.
std::string minimal_handshake(const std::string& key) {
  return "GET / HTTP/1.1\r\nHost: localhost\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
         "Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: " +
         key + "\r\n\r\n";
}

// How one operation ends: with `error`, or cancelled by `signal`.
auto until(asio::cancellation_signal& signal, error_code& error) {
  return asio::bind_cancellation_slot(signal.slot(), asio::redirect_error(asio::use_awaitable, error));
}

// What outlives the owner: operations in flight and the keep-alive coroutine hold it until they have ended.
// Beast parks an operation that waits for another one, and two can wait for each other: a closing handshake
// for the read in flight, and that read, once it met a broken frame, for the closing one. Closing the socket
// wakes neither, so every operation has a signal, and abort() gives them all.
class SocketState : public std::enable_shared_from_this<SocketState> {
 public:
  SocketState(asio::ip::tcp::socket socket, const WebSocketLimits& limits, ReceiveBudgetPtr budget)
      : limits_(limits),
        budget_(std::move(budget)),
        stream_(std::move(socket)),
        silence_timer_(stream_.get_executor()),
        aborted_event_(stream_.get_executor()),
        message_deadline_(stream_.get_executor(), [this] { refuse_slow_message(); }),
        write_guard_(stream_.next_layer(), [this] { abort(); }) {
    websocket::stream_base::timeout timeouts{};
    timeouts.handshake_timeout = limits.close;  // also of the closing handshake
    timeouts.idle_timeout = websocket::stream_base::none();
    timeouts.keep_alive_pings = false;
    stream_.set_option(timeouts);
    stream_.read_message_max(limits.max_message);
    stream_.auto_fragment(false);
    stream_.text(true);
    stream_.control_callback([this](websocket::frame_type, boost::beast::string_view) { heard(); });
  }

  asio::awaitable<bool> accept(Upgrade upgrade) {
    error_code error;
    const std::string received = minimal_handshake(upgrade.key) + upgrade.early_bytes;
    co_await stream_.async_accept(asio::buffer(received), asio::redirect_error(asio::use_awaitable, error));
    heard();
    co_return !error;
  }

  asio::awaitable<std::optional<std::string>> read() {
    if (aborted_) co_return std::nullopt;
    heard();
    reading_ = true;
    std::optional<std::string> text = co_await read_message();
    reading_ = false;
    message_deadline_.disarm();
    while (!text && !aborted_) co_await aborted_event_.wait();  // it has been refused, and that is being said
    co_return text;
  }

  asio::awaitable<bool> write(std::string_view text) {
    error_code error;
    bool last = false;
    while (!last && !error && !aborted_) {
      const std::string_view piece = text.substr(0, kFragmentBytes);
      text.remove_prefix(piece.size());
      last = text.empty();
      write_guard_.arm(limits_.write_stall);
      co_await stream_.async_write_some(last, asio::buffer(piece.data(), piece.size()),
                                        until(write_cancelled_, error));
      write_guard_.disarm();
    }
    co_return last && !error;
  }

  void close(CloseCode code, const std::string& reason) {
    if (std::exchange(closing_, true) || aborted_) return;
    close_reason_ = websocket::close_reason(static_cast<websocket::close_code>(code), reason);
    asio::co_spawn(stream_.get_executor(), run_close(shared_from_this()), asio::detached);
  }

  void abort() {
    if (std::exchange(aborted_, true)) return;
    error_code ignored;
    stream_.next_layer().close(ignored);
    silence_timer_.cancel();
    aborted_event_.notify();
    // Not at once: what is cancelled goes on inside emit(), and the caller may be in the middle of something.
    asio::post(stream_.get_executor(), [self = shared_from_this()] {
      for (asio::cancellation_signal* signal : {&self->read_cancelled_, &self->write_cancelled_,
                                                &self->ping_cancelled_, &self->close_cancelled_}) {
        signal->emit(asio::cancellation_type::terminal);
      }
    });
  }

  void start_keep_alive() {
    asio::co_spawn(stream_.get_executor(), keep_alive(shared_from_this()), asio::detached);
  }

 private:
  void heard() { last_heard_ = Clock::now(); }

  // Nullopt: aborted, or about to be closed.
  asio::awaitable<std::optional<std::string>> read_message() {
    boost::beast::flat_buffer buffer;  // bounded by read_message_max
    UnfinishedBytes unfinished(budget_);
    std::optional<ReceivePace> pace;
    std::size_t step = kFirstReadStep;
    error_code error;
    while (true) {
      const std::size_t count = co_await stream_.async_read_some(buffer, step, until(read_cancelled_, error));
      heard();
      step = kReadStep;
      if (error) abort();
      if (error || is_refused_) co_return std::nullopt;
      if (stream_.is_message_done()) break;
      const auto now = Clock::now();
      if (!pace) pace.emplace(limits_.message_rate, now);
      pace->take(count, now);
      message_deadline_.arm(pace->left(now));
      const bool has_room = unfinished.add(count);
      if (!has_room) refuse(CloseCode::try_again_later, "too much comes at once; send it again in a moment");
      if (is_refused_) co_return std::nullopt;
    }
    if (!stream_.got_text()) refuse(CloseCode::unknown_data, "text messages only");
    if (is_refused_) co_return std::nullopt;
    const auto bytes = buffer.data();
    co_return std::string(static_cast<const char*>(bytes.data()), bytes.size());
  }

  // No message is read any more.
  void refuse(CloseCode code, const std::string& why) {
    is_refused_ = true;
    close(code, why);
  }

  void refuse_slow_message() {
    refuse(CloseCode::policy_violation, "the message comes too slowly; send it again");
  }

  // On a slow line a ping stays behind what was sent before, for minutes: its answer is not due yet.
  bool takes_what_is_sent() {
    const SendProgress progress = send_progress(stream_.next_layer().native_handle());
    const auto before = std::exchange(bytes_taken_, progress.bytes_taken);
    return !progress.all_taken && progress.bytes_taken > before;
  }

  static asio::awaitable<void> run_close(std::shared_ptr<SocketState> self) {
    // A write that stalls would hold the closing back, so the whole of it has a limit of its own.
    Deadline deadline(self->stream_.get_executor(), [raw = self.get()] { raw->abort(); });
    deadline.arm(self->limits_.close);
    error_code ignored;
    co_await self->stream_.async_close(self->close_reason_, until(self->close_cancelled_, ignored));
    self->abort();
  }

  static asio::awaitable<void> keep_alive(std::shared_ptr<SocketState> self) {
    error_code error;
    while (!error && !self->aborted_) {
      self->silence_timer_.expires_after(self->limits_.ping_after);
      co_await self->silence_timer_.async_wait(asio::redirect_error(asio::use_awaitable, error));
      if (error) break;
      if (!self->reading_) continue;  // nothing is heard because nobody listens
      if (self->takes_what_is_sent()) self->heard();
      const auto silence = Clock::now() - self->last_heard_;
      if (silence >= self->limits_.dead_after) break;
      if (silence < self->limits_.ping_after) continue;
      const websocket::ping_data nothing;
      co_await self->stream_.async_ping(nothing, until(self->ping_cancelled_, error));
    }
    self->abort();
  }

  WebSocketLimits limits_;
  ReceiveBudgetPtr budget_;
  Stream stream_;
  asio::steady_timer silence_timer_;
  asio::cancellation_signal read_cancelled_;
  asio::cancellation_signal write_cancelled_;
  asio::cancellation_signal ping_cancelled_;
  asio::cancellation_signal close_cancelled_;
  orchestration::turn::Wakeup aborted_event_;
  Deadline message_deadline_;  // for more of a message that has begun
  StallGuard write_guard_;
  std::uint64_t bytes_taken_ = 0;
  Clock::time_point last_heard_ = Clock::now();
  websocket::close_reason close_reason_;
  bool reading_ = false;
  bool is_refused_ = false;  // what comes is not taken any more
  bool closing_ = false;
  bool aborted_ = false;
};

class BeastWebSocket : public WebSocket {
 public:
  explicit BeastWebSocket(std::shared_ptr<SocketState> state) : state_(std::move(state)) {}
  ~BeastWebSocket() override { state_->abort(); }

  asio::awaitable<std::optional<std::string>> read() override { return state_->read(); }
  asio::awaitable<bool> write(std::string_view text) override { return state_->write(text); }
  void close(CloseCode code, const std::string& reason) override { state_->close(code, reason); }

 private:
  std::shared_ptr<SocketState> state_;  // see SocketState
};

}  // namespace

asio::awaitable<AcceptedWebSocket> accept_web_socket(asio::ip::tcp::socket socket, Upgrade upgrade,
                                                     WebSocketLimits limits, ReceiveBudgetPtr budget) {
  AcceptedWebSocket result;
  auto state = std::make_shared<SocketState>(std::move(socket), limits, std::move(budget));
  const bool accepted = co_await state->accept(std::move(upgrade));
  if (!accepted) co_return result;
  state->start_keep_alive();
  result.abort = [weak = std::weak_ptr<SocketState>(state)] {
    if (const auto open = weak.lock()) open->abort();
  };
  result.socket = std::make_unique<BeastWebSocket>(std::move(state));
  co_return result;
}

}  // namespace parley::app::http
