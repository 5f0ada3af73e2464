#include "inference/engine/mailbox.h"

#include <string>
#include <utility>

namespace parley::inference::engine {
namespace {

constexpr const char* kUnknownFailure =
    "The model stopped working by an unknown error. Restart the server to load it again.";

Rejection dead_engine(const std::string& failure) {
  return Rejection{.kind = Rejection::Kind::shutting_down,
                   .failure = failure.empty() ? kUnknownFailure : failure};
}

}  // namespace

std::variant<RequestId, Rejection> Mailbox::submit(Request request, std::shared_ptr<TokenSink> sink) {
  const Clock::time_point now = Clock::now();
  RequestId id = 0;
  {
    const std::scoped_lock lock(mutex_);
    if (!stats_.alive) return dead_engine(stats_.failure);
    if (mail_.closed) return Rejection{.kind = Rejection::Kind::shutting_down};
    if (request.purpose == Purpose::answer) {
      const int waiting = stats_.waiting + num_undelivered();
      if (waiting >= max_waiting_) return Rejection{Rejection::Kind::queue_full, max_waiting_, waiting};
      ++num_mailed_;
    }
    id = ++last_id_;
    mail_.submissions.push_back({id, std::move(request), std::move(sink), now});
  }
  arrived_.notify_one();
  return id;
}

void Mailbox::cancel(RequestId id) {
  {
    const std::scoped_lock lock(mutex_);
    if (mail_.closed) return;
    mail_.cancellations.push_back(id);
  }
  arrived_.notify_one();
}

EngineStats Mailbox::stats() const {
  const std::scoped_lock lock(mutex_);
  EngineStats stats = stats_;
  stats.waiting += num_undelivered();
  stats.accepted += static_cast<std::uint64_t>(num_undelivered());
  return stats;
}

void Mailbox::close() {
  {
    const std::scoped_lock lock(mutex_);
    mail_.closed = true;
  }
  arrived_.notify_one();
}

void Mailbox::wake() {
  {
    const std::scoped_lock lock(mutex_);
    woken_ = true;
  }
  arrived_.notify_one();
}

Mailbox::Mail Mailbox::wait(bool has_work) {
  std::unique_lock lock(mutex_);
  const auto has_mail = [this] {
    return woken_ || mail_.closed || !mail_.submissions.empty() || !mail_.cancellations.empty();
  };
  if (!has_work) arrived_.wait(lock, has_mail);
  woken_ = false;
  num_taken_ += std::exchange(num_mailed_, 0);
  Mail taken;
  taken.closed = mail_.closed;
  taken.submissions.swap(mail_.submissions);
  taken.cancellations.swap(mail_.cancellations);
  return taken;
}

void Mailbox::publish(const EngineStats& stats) {
  const std::scoped_lock lock(mutex_);
  stats_ = stats;
  num_taken_ = 0;
}

}  // namespace parley::inference::engine
