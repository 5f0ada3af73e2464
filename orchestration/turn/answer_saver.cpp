#include "orchestration/turn/answer_saver.h"

#include <utility>

#include <boost/asio/as_tuple.hpp>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/use_awaitable.hpp>

#include "orchestration/turn/run_blocking.h"

namespace parley::orchestration::turn {

namespace asio = boost::asio;

AnswerSaver::AnswerSaver(CorePtr core, std::string conversation, std::string message,
                         std::function<void()> on_failure)
    : core_(std::move(core)),
      conversation_(std::move(conversation)),
      message_(std::move(message)),
      on_failure_(std::move(on_failure)),
      timer_(core_->executor),
      ended_(core_->executor) {}

void AnswerSaver::add(std::string_view text, const std::vector<std::int32_t>& token_ids) {
  text_ += text;
  token_ids_.insert(token_ids_.end(), token_ids.begin(), token_ids.end());
  start_unless_running();
}

void AnswerSaver::start_unless_running() {
  const bool nothing_to_write = text_.empty() && token_ids_.empty();
  if (running_ || stopping_ || failure_ || nothing_to_write) return;
  running_ = true;
  auto self = shared_from_this();
  asio::co_spawn(core_->executor, write_after_interval(self),
                 [self](std::exception_ptr failure) { self->write_ended(std::move(failure)); });
}

asio::awaitable<void> AnswerSaver::write_after_interval(std::shared_ptr<AnswerSaver> saver) {
  while (!saver->text_.empty() || !saver->token_ids_.empty()) {
    saver->timer_.expires_after(saver->core_->options.persist_interval);
    co_await saver->timer_.async_wait(asio::as_tuple(asio::use_awaitable));
    if (saver->stopping_) co_return;
    const std::string text = std::exchange(saver->text_, std::string());
    const auto token_ids = std::exchange(saver->token_ids_, std::vector<std::int32_t>());
    auto work = [&] { saver->core_->store.append(saver->conversation_, saver->message_, text, token_ids); };
    co_await run_blocking(saver->core_->store_thread, work);
  }
}

void AnswerSaver::write_ended(std::exception_ptr failure) {
  running_ = false;
  failure_ = std::move(failure);
  ended_.notify();
  if (failure_) std::exchange(on_failure_, nullptr)();
  start_unless_running();  // what came between the last look and here
}

asio::awaitable<void> AnswerSaver::stop(std::shared_ptr<AnswerSaver> saver) {
  saver->stopping_ = true;
  saver->timer_.cancel();
  while (saver->running_) co_await saver->ended_.wait();
  if (saver->failure_) std::rethrow_exception(saver->failure_);
}

}  // namespace parley::orchestration::turn
