#pragma once
// A chat model that answers what a script says, on the I/O thread.

#include <chrono>
#include <functional>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/as_tuple.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/use_awaitable.hpp>

#include "orchestration/turn/chat_model.h"
#include "orchestration/turn/wakeup.h"

namespace parley::fakes {

struct ScriptedCall {
  std::string name;
  std::string arguments;
  std::string error;  // CallEnd::error
};

struct ChatScript {
  std::vector<std::string> pieces;     // one delta of one token each
  std::chrono::microseconds pause{0};  // before each
  std::vector<ScriptedCall> calls;     // behind the pieces, two deltas each
  bool holds_back = false;             // before the calls: what comes may be one
  bool until_cancelled = false;        // waits behind all that
  bool had_ended = false;              // what cancels it comes too late
  std::string rest;                    // ChatFinished::text
  std::string reasoning;               // before the pieces, one delta
  std::string stop_reason = "stop";
  std::string error;            // ChatFinished::error
  std::string throws;           // not empty: thrown by next() behind the pieces
  std::string throws_at_start;  // not empty: thrown by start_chat
  std::optional<orchestration::turn::ChatRejection> rejection;
  int left_out_turns = 0;
  int hidden_tokens = 0;  // in the usage, and in no delta
  std::string router;     // ToolReport::router
  std::chrono::milliseconds queued{0};
  std::optional<std::vector<std::int32_t>> continued_ids;
};

class ScriptedChatModel final : public orchestration::turn::ChatModel {
 public:
  using Answer = std::function<ChatScript(const orchestration::turn::ChatRequest&)>;

  explicit ScriptedChatModel(const boost::asio::any_io_executor& executor)
      : executor_(executor), started_(executor) {
    info_.name = "scripted";
    info_.max_context = 4096;
  }

  const orchestration::turn::ModelInfo& info() const override { return info_; }
  orchestration::turn::TokenCounter token_counter() const override {
    return orchestration::turn::rough_token_count;
  }

  boost::asio::awaitable<orchestration::turn::ChatStart> start_chat(
      orchestration::turn::ChatRequest request) override {
    requests.push_back(request);
    while (hold_starts) co_await started_.wait();
    ChatScript script = answer(requests.back());
    if (!script.throws_at_start.empty()) throw std::runtime_error(script.throws_at_start);
    if (script.rejection) co_return *script.rejection;
    co_return std::make_unique<Stream>(*this, std::move(script));
  }

  boost::asio::awaitable<orchestration::turn::ChatStart> start_completion(
      orchestration::turn::CompletionRequest) override {
    throw std::logic_error("not scripted");
    co_return orchestration::turn::ChatRejection();
  }

  boost::asio::awaitable<std::unique_ptr<orchestration::turn::ReadAhead>> read_ahead(
      orchestration::turn::ChatRequest request) override {
    read_aheads.push_back(std::move(request));
    while (hold_starts) co_await started_.wait();
    if (!read_ahead_throws.empty()) throw std::runtime_error(read_ahead_throws);
    co_return std::make_unique<Reading>(counters_);
  }

  void let_start() {
    hold_starts = false;
    started_.notify();
  }

  void set_profile(orchestration::turn::ToolProfile profile) { info_.tool_profile = profile; }
  void set_max_context(int tokens) { info_.max_context = tokens; }

  Answer answer;
  bool hold_starts = false;
  std::vector<orchestration::turn::ChatRequest> requests;
  std::vector<orchestration::turn::ChatRequest> read_aheads;
  std::string read_ahead_throws;                           // not empty: thrown by read_ahead
  int num_reading() const { return counters_->readings; }  // alive
  int num_streams() const { return counters_->streams; }   // alive
  int num_cancelled() const {
    return counters_->cancellations;
  }  // cancel() was called, or dropped before the end

 private:
  struct Counters {
    int streams = 0;
    int cancellations = 0;
    int readings = 0;
  };

  class Reading final : public orchestration::turn::ReadAhead {
   public:
    explicit Reading(std::shared_ptr<Counters> counters) : counters_(std::move(counters)) {
      ++counters_->readings;
    }
    ~Reading() override { --counters_->readings; }

   private:
    std::shared_ptr<Counters> counters_;
  };

  class Stream final : public orchestration::turn::ChatStream {
   public:
    Stream(const ScriptedChatModel& model, ChatScript script)
        : counters_(model.counters_),
          script_(std::move(script)),
          timer_(model.executor_),
          wake_(model.executor_) {
      ++counters_->streams;
    }
    ~Stream() override {
      --counters_->streams;
      if (!ended_ && !cancelled_) ++counters_->cancellations;
    }

    int left_out_turns() const override { return script_.left_out_turns; }
    std::optional<std::vector<std::int32_t>> continued_ids() const override { return script_.continued_ids; }

    boost::asio::awaitable<orchestration::turn::ChatEvent> next() override {
      timer_.expires_after(script_.pause);  // also without a pause: others get their turn
      co_await timer_.async_wait(boost::asio::as_tuple(boost::asio::use_awaitable));
      if (!cancelled_ && !script_.reasoning.empty()) co_return take_reasoning();
      if (!cancelled_ && next_ < script_.pieces.size()) co_return take_piece();
      if (!cancelled_ && std::exchange(script_.holds_back, false)) co_return take_pending();
      if (!cancelled_ && next_call_ < 2 * script_.calls.size()) co_return take_half_a_call();
      if (!script_.throws.empty()) throw std::runtime_error(script_.throws);
      while (script_.until_cancelled && !cancelled_) co_await wake_.wait();
      co_return finish();
    }

    void cancel() override {
      if (!std::exchange(cancelled_, true)) ++counters_->cancellations;
      timer_.cancel();
      wake_.notify();
    }

   private:
    orchestration::turn::ChatDelta take_piece() {
      orchestration::turn::ChatDelta delta;
      delta.text = script_.pieces[next_];
      delta.token_ids.push_back(1000 + static_cast<std::int32_t>(next_));
      ++next_;
      return delta;
    }

    orchestration::turn::ChatDelta take_reasoning() {
      orchestration::turn::ChatDelta delta;
      delta.reasoning = std::exchange(script_.reasoning, std::string());
      delta.token_ids.push_back(999);
      return delta;
    }

    orchestration::turn::ChatDelta take_pending() {
      orchestration::turn::ChatDelta delta;
      delta.calls.emplace_back(orchestration::calls::CallPending{});
      return delta;
    }

    orchestration::turn::ChatDelta take_half_a_call() {
      const ScriptedCall& call = script_.calls[next_call_ / 2];
      const int index = static_cast<int>(next_call_ / 2);
      const std::size_t half = call.arguments.size() / 2;
      orchestration::turn::ChatDelta delta;
      delta.token_ids.push_back(2000 + static_cast<std::int32_t>(next_call_));
      if (next_call_++ % 2 == 0) {
        delta.calls.push_back(orchestration::calls::CallBegin{index, call.name, ""});
        delta.calls.push_back(orchestration::calls::ArgumentsDelta{index, call.arguments.substr(0, half)});
      } else {
        delta.calls.push_back(orchestration::calls::ArgumentsDelta{index, call.arguments.substr(half)});
        delta.calls.push_back(orchestration::calls::CallEnd{index, call.error, ""});
      }
      return delta;
    }

    orchestration::turn::ChatFinished finish() {
      ended_ = true;
      orchestration::turn::ChatFinished finished;
      finished.text = script_.rest;
      finished.stop_reason = cancelled_ && !script_.had_ended ? "stopped" : script_.stop_reason;
      finished.error = script_.error;
      finished.usage.prompt_tokens = 7;
      finished.usage.completion_tokens = static_cast<int>(next_) + script_.hidden_tokens;
      finished.timings.first_token_ms = 1;
      finished.timings.total_ms = 2;
      finished.queued = script_.queued;
      finished.tool_report.constraint_woke = 1;
      finished.tool_report.router = script_.router;
      return finished;
    }

    std::shared_ptr<Counters> counters_;
    ChatScript script_;
    std::size_t next_ = 0;
    std::size_t next_call_ = 0;  // half calls
    bool cancelled_ = false;
    bool ended_ = false;
    boost::asio::steady_timer timer_;
    orchestration::turn::Wakeup wake_;
  };

  boost::asio::any_io_executor executor_;
  orchestration::turn::Wakeup started_;
  std::shared_ptr<Counters> counters_ =
      std::make_shared<Counters>();  // shared with streams that outlive the model
  orchestration::turn::ModelInfo info_;
};

}  // namespace parley::fakes
