#include "orchestration/turn/token_stream.h"

#include <cassert>
#include <mutex>
#include <utility>

#include <boost/asio/post.hpp>

#include "orchestration/turn/wakeup.h"

namespace parley::orchestration::turn {

using inference::engine::FinishedRequest;
using inference::engine::GeneratedToken;

// Written by the engine's thread, emptied by the I/O thread. The mutex is held for a push, a swap or a post.
class TokenStream::Inbox : public inference::engine::TokenSink, public std::enable_shared_from_this<Inbox> {
 public:
  explicit Inbox(const boost::asio::any_io_executor& executor)
      : executor_(executor), arrived_(std::make_unique<Wakeup>(executor)) {}

  void on_token(const GeneratedToken& token) override {
    const std::scoped_lock lock(mutex_);
    if (abandoned_) return;
    batch_.tokens.push_back(token);
    announce();
  }

  void on_finish(const FinishedRequest& result) override {
    const std::scoped_lock lock(mutex_);
    if (abandoned_) return;
    batch_.finished = result;
    announce();
  }

  TokenBatch take() {
    const std::scoped_lock lock(mutex_);
    return std::exchange(batch_, TokenBatch());
  }

  bool empty() {
    const std::scoped_lock lock(mutex_);
    return batch_.tokens.empty() && !batch_.finished;
  }

  // Nobody reads any more. The engine may keep the inbox for longer than the I/O thread's objects live: from
  // here on nothing is posted, and nothing is left that belongs to that thread.
  void abandon() {
    const std::scoped_lock lock(mutex_);
    abandoned_ = true;
    batch_ = TokenBatch();
    arrived_.reset();
  }

  boost::asio::awaitable<void> wait() { return arrived_->wait(); }

 private:
  // One handler on its way for any number of tokens. Posted under the lock, so that abandon() comes before or
  // after.
  void announce() {
    if (std::exchange(posted_, true)) return;
    boost::asio::post(executor_, [self = shared_from_this()] { self->notify(); });
  }

  void notify() {
    {
      const std::scoped_lock lock(mutex_);
      posted_ = false;
    }
    if (arrived_) arrived_->notify();
  }

  boost::asio::any_io_executor executor_;
  std::unique_ptr<Wakeup> arrived_;  // I/O thread
  std::mutex mutex_;
  TokenBatch batch_;        // guarded by mutex_
  bool posted_ = false;     // guarded by mutex_
  bool abandoned_ = false;  // guarded by mutex_
};

TokenStream::TokenStream(inference::engine::Engine& engine, const boost::asio::any_io_executor& executor)
    : engine_(engine), inbox_(std::make_shared<Inbox>(executor)) {}

TokenStream::~TokenStream() {
  inbox_->abandon();
  cancel();
}

std::optional<inference::engine::Rejection> TokenStream::submit(inference::engine::Request request) {
  assert(!request_);
  auto outcome = engine_.submit(std::move(request), inbox_);
  if (auto* rejection = std::get_if<inference::engine::Rejection>(&outcome)) return *rejection;
  request_ = std::get<inference::engine::RequestId>(outcome);
  return std::nullopt;
}

boost::asio::awaitable<TokenBatch> TokenStream::next() {
  auto inbox = inbox_;
  while (inbox->empty()) co_await inbox->wait();
  TokenBatch batch = inbox->take();
  if (batch.finished) request_.reset();
  co_return batch;
}

void TokenStream::cancel() {
  if (request_) engine_.cancel(*request_);
}

}  // namespace parley::orchestration::turn
