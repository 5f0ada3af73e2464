#include "inference/engine/local_engine.h"

#include <cassert>
#include <exception>
#include <optional>
#include <string>
#include <thread>
#include <utility>

#include "inference/engine/engine_core.h"
#include "inference/engine/mailbox.h"

namespace parley::inference::engine {
namespace {

std::optional<Rejection> reason_to_reject(const Request& request, const EngineOptions& options) {
  const auto length = static_cast<std::int64_t>(request.prompt.size());
  const std::int64_t longest = request_capacity(options) - 1;  // one token of answer has to fit
  if (length == 0) return Rejection{.kind = Rejection::Kind::empty_prompt};
  if (length > longest) return Rejection{Rejection::Kind::prompt_too_long, longest, length};
  for (const std::int32_t id : request.prompt) {
    if (id < 0 || id >= options.vocab_size) {
      return Rejection{Rejection::Kind::token_out_of_range, options.vocab_size, id};
    }
  }
  return std::nullopt;
}

class LocalEngine final : public Engine {
 public:
  LocalEngine(std::unique_ptr<ModelRunner> runner, const EngineOptions& options,
              std::shared_ptr<SideWork> side_work)
      : options_(options),
        core_(std::move(runner), options),
        mailbox_(options.max_waiting, core_.stats()),
        side_work_(std::move(side_work)) {
    if (side_work_) side_work_->attach([this] { mailbox_.wake(); });
    thread_ = std::thread([this] { loop(); });
  }

  ~LocalEngine() override {
    mailbox_.close();
    thread_.join();
    if (side_work_) side_work_->detach();
  }

  std::variant<RequestId, Rejection> submit(Request request, std::shared_ptr<TokenSink> sink) override {
    assert(sink != nullptr);
    if (const auto rejection = reason_to_reject(request, options_)) return *rejection;
    return mailbox_.submit(std::move(request), std::move(sink));
  }

  void cancel(RequestId id) override { mailbox_.cancel(id); }

  EngineStats stats() const override { return mailbox_.stats(); }

 private:
  void loop() {
    for (bool closed = false; !closed;) {
      Mailbox::Mail mail = mailbox_.wait(core_.has_work() || has_side_work_);
      closed = mail.closed;
      take(std::move(mail));
      if (closed) core_.finish_all(StopReason::cancelled, {});
      advance();
      report();
      if (!closed) work_beside();
    }
  }

  // Whoever waits for an answer comes first: between two steps there is one short slice.
  void work_beside() {
    if (!side_work_) return;
    has_side_work_ =
        side_work_->run(core_.has_work() ? SideWork::kSliceBesideRequests : SideWork::kSliceAlone);
  }

  void take(Mailbox::Mail mail) {
    for (Submission& submission : mail.submissions) core_.add(std::move(submission));
    for (const RequestId id : mail.cancellations) core_.cancel(id);
  }

  // One of the few places that catch: whatever the model throws ends all requests and the engine, not the
  // process.
  void advance() {
    if (!core_.has_work()) return;
    if (!failure_.empty()) return core_.finish_all(StopReason::failed, failure_);
    try {
      core_.step();
    } catch (const std::exception& error) {
      fail(error.what());
    } catch (...) {
      fail("unknown error");
    }
  }

  void fail(const std::string& what) {
    failure_ = "The model stopped working: " + what + ". Restart the server to load it again.";
    core_.finish_all(StopReason::failed, failure_);
  }

  // Counters first: whoever hears of an end sees it counted and its memory freed.
  void report() {
    EngineStats stats = core_.stats();
    stats.alive = failure_.empty();
    stats.failure = failure_;
    mailbox_.publish(stats);
    core_.deliver();
  }

  const EngineOptions options_;
  EngineCore core_;  // used by thread_ alone, once that runs
  Mailbox mailbox_;
  const std::shared_ptr<SideWork> side_work_;
  bool has_side_work_ = false;
  std::string failure_;  // not empty: the model is dead, and this is the sentence for the user
  std::thread thread_;   // last: it uses all of the above
};

}  // namespace

std::unique_ptr<Engine> make_local_engine(std::unique_ptr<ModelRunner> runner, const EngineOptions& options,
                                          std::shared_ptr<SideWork> side_work) {
  assert(runner != nullptr && options.num_blocks > 0 && options.max_waiting > 0);
  return std::make_unique<LocalEngine>(std::move(runner), options, std::move(side_work));
}

}  // namespace parley::inference::engine
