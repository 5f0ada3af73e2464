#include "orchestration/turn/tool_loop.h"

#include <chrono>
#include <cstdint>
#include <memory>
#include <optional>
#include <utility>

#include <boost/asio/steady_timer.hpp>

namespace parley::orchestration::turn {
namespace {

namespace asio = boost::asio;
using Clock = std::chrono::steady_clock;
using prompt::ChatMessage;
using sessions::ToolCall;

bool is_empty(const ChatDelta& delta) {
  return delta.text.empty() && delta.reasoning.empty() && delta.token_ids.empty() && delta.calls.empty();
}

bool is_space(char byte) { return byte == ' ' || byte == '\n' || byte == '\t'; }

// The text of several rounds as one, with an empty line between them.
class JoinedText {
 public:
  void begin_round() { is_joint_ = !is_blank_; }
  std::string add(std::string text) {
    if (text.empty()) return text;
    if (is_joint_ && !ends_in_space_ && !is_space(text.front())) text.insert(0, "\n\n");
    is_joint_ = is_blank_ = false;
    ends_in_space_ = is_space(text.back());
    return text;
  }

 private:
  bool is_blank_ = true;
  bool is_joint_ = false;
  bool ends_in_space_ = false;
};

ChatMessage result_message(const ToolCall& call) {
  ChatMessage result;
  result.role = prompt::Role::tool;
  result.text = call.result;
  result.call_id = call.id;
  result.tool_name = call.name;
  return result;
}

struct LoopParts {
  ChatModel& model;
  ChatRequest request;
  std::shared_ptr<const CallRoundParts> round;  // shared with calls that outlive the stream
};

class ToolLoopStream : public ChatStream {
 public:
  ToolLoopStream(LoopParts parts, std::unique_ptr<ChatStream> inner)
      : parts_(std::move(parts)),
        inner_(std::move(inner)),
        round_(std::make_shared<CallRound>(parts_.round)),
        left_out_turns_(inner_->left_out_turns()),
        continued_ids_(inner_->continued_ids()),
        time_(parts_.round->executor) {
    watch_time();
  }
  ~ToolLoopStream() override { round_->stop(kNobodyWaits); }

  int left_out_turns() const override { return left_out_turns_; }
  std::optional<std::vector<std::int32_t>> continued_ids() const override { return continued_ids_; }

  void cancel() override {
    cancelled_ = true;
    halt();
  }

  asio::awaitable<ChatEvent> next() override {
    for (;;) {
      if (inner_) {
        ChatEvent event = co_await inner_->next();
        if (auto* finished = std::get_if<ChatFinished>(&event)) end_answer(std::move(*finished));
        ChatDelta delta = inner_ ? take(std::move(std::get<ChatDelta>(event))) : take_rest();
        if (!is_empty(delta)) co_return delta;
        continue;
      }
      if (!calls_are_due()) co_return whole();
      co_await CallRound::run(round_, repeats_);
      ran_.insert(ran_.end(), round_->calls().begin(), round_->calls().end());
      note_limit();
      if (cancelled_) last_.stop_reason = "stopped";
      if (cancelled_ || round_->has_callers() || !last_.limit.empty()) co_return whole();
      co_await go_on();
    }
  }

 private:
  // Its end may be on its way to the I/O thread while the stream is dropped.
  void watch_time() {
    time_.expires_after(parts_.round->desk.limits().loop_wall_time);
    time_.async_wait(
        [watched = std::weak_ptr<ToolLoopStream>(self_)](const boost::system::error_code& error) {
          const auto self = watched.lock();
          if (error || !self) return;
          self->is_out_of_time_ = true;
          self->halt();
        });
  }

  // What is under way ends, be it the model or calls.
  void halt() {
    if (inner_) inner_->cancel();
    round_->stop(cancelled_ ? kNobodyWaits : kOutOfTime);
  }

  // Keeps what the next round's prompt needs. The caller gets the events of its own calls only.
  ChatDelta take(ChatDelta delta) {
    num_delivered_ += static_cast<int>(delta.token_ids.size());
    answer_.text += delta.text;
    answer_.reasoning += delta.reasoning;
    answer_.token_ids.insert(answer_.token_ids.end(), delta.token_ids.begin(), delta.token_ids.end());
    std::erase_if(delta.calls, [this](const calls::CallEvent& event) { return !round_->take(event); });
    delta.text = text_.add(std::move(delta.text));
    delta.reasoning = reasoning_.add(std::move(delta.reasoning));
    return delta;
  }

  void end_answer(ChatFinished finished) {
    figures_.add(finished);
    answer_.text += finished.text;
    finished.text = text_.add(std::move(finished.text));
    parts_.request.left_out_before = inner_->left_out_turns();
    inner_.reset();  // its place in the KV cache is others' while tools run
    last_ = std::move(finished);
    ++rounds_;
  }

  bool calls_are_due() const { return !is_over_ && last_.stop_reason == "tool_calls" && last_.error.empty(); }

  // Text that came with the end of an answer which is not the last.
  ChatDelta take_rest() {
    ChatDelta rest;
    if (calls_are_due()) rest.text = std::exchange(last_.text, std::string());
    return rest;
  }

  ChatFinished whole() {
    if (!cancelled_) name_limit();
    last_.usage = figures_.usage;
    last_.timings.first_token_ms = figures_.first_token_ms;
    last_.timings.total_ms = figures_.total_ms;
    last_.tool_report = figures_.tool_report;
    last_.calls = std::move(ran_);
    return std::move(last_);
  }

  void end_at(std::string limit) {
    last_.stop_reason = "length";
    last_.limit = std::move(limit);
  }

  // Where tools have run, an error would not tell of them, and would have the program send it all again.
  void name_limit() {
    if (is_out_of_time_ && last_.stop_reason == "stopped") return end_at(std::string(kOutOfTime));
    if (ran_.empty()) return;
    if (!last_.error.empty()) return end_at(std::exchange(last_.error, std::string()));
    if (last_.stop_reason == "stopped") end_at("The answer was cancelled because the server is stopping.");
  }

  // Whether the model may be given the results.
  void note_limit() {
    if (round_->has_callers()) return;
    last_.limit = round_limit(parts_.round->desk.limits(), rounds_, Clock::now() - began_);
    if (max_tokens_ > 0 && num_tokens_left() <= 0)
      last_.limit = "The answer has " + std::to_string(max_tokens_) + " tokens, the limit of the request.";
    if (!last_.limit.empty()) last_.stop_reason = "length";
  }

  // Those of a router, and of what was written anew, are none of the answer's.
  int num_tokens_left() const { return max_tokens_ - num_delivered_; }

  // A beginning that the request brought is part of the same message; its ids are not known here.
  void add_answer() {
    std::vector<ChatMessage>& messages = parts_.request.messages;
    answer_.role = prompt::Role::assistant;
    for (const ToolCall& call : round_->calls())
      answer_.calls.push_back({call.id, call.name, call.arguments});
    if (std::exchange(parts_.request.continue_last, false)) {
      answer_.text.insert(0, messages.back().text);
      answer_.reasoning.insert(0, messages.back().reasoning);
      answer_.token_ids.clear();
      messages.pop_back();
    }
    messages.push_back(std::exchange(answer_, ChatMessage()));
  }

  // The next answer, given the results. Where the model does not take them, the turn is over.
  asio::awaitable<void> go_on() {
    add_answer();
    for (const ToolCall& call : round_->calls()) parts_.request.messages.push_back(result_message(call));
    round_ = std::make_shared<CallRound>(parts_.round);
    text_.begin_round();
    reasoning_.begin_round();
    if (max_tokens_ > 0) parts_.request.options.max_tokens = num_tokens_left();
    if (parts_.request.tools.choice != ToolChoice::none) parts_.request.tools.choice = ToolChoice::automatic;
    ChatRequest request = parts_.request;
    ChatStart start = co_await parts_.model.start_chat(std::move(request));
    if (auto* rejection = std::get_if<ChatRejection>(&start)) co_return refuse(*rejection);
    inner_ = std::get<std::unique_ptr<ChatStream>>(std::move(start));
    if (cancelled_ || is_out_of_time_) halt();
  }

  void refuse(const ChatRejection& rejection) {
    is_over_ = true;
    end_at(rejection.message);
  }

  // Of all rounds; the first token, the router's choice and the mode are the first one's.
  struct Figures {
    sessions::Usage usage;
    double first_token_ms = 0;
    double total_ms = 0;
    ToolReport tool_report;
    bool is_first = true;

    void add(const ChatFinished& finished) {
      const int woke_before = tool_report.constraint_woke;
      if (std::exchange(is_first, false)) {
        first_token_ms = finished.timings.first_token_ms;
        tool_report = finished.tool_report;
      }
      tool_report.constraint_woke = woke_before + finished.tool_report.constraint_woke;
      usage.prompt_tokens += finished.usage.prompt_tokens;
      usage.cached_tokens += finished.usage.cached_tokens;
      usage.completion_tokens += finished.usage.completion_tokens;
      total_ms += finished.timings.total_ms;
      if (tool_report.unenforced.empty()) tool_report.unenforced = finished.tool_report.unenforced;
    }
  };

  LoopParts parts_;
  std::unique_ptr<ChatStream> inner_;  // while an answer is generated
  std::shared_ptr<CallRound> round_;   // of that answer; shared with its calls
  const int left_out_turns_;
  const std::optional<std::vector<std::int32_t>> continued_ids_;
  const int max_tokens_ = parts_.request.options.max_tokens;  // of all rounds; 0: no limit
  const Clock::time_point began_ = Clock::now();
  ChatMessage answer_;         // so far
  ChatFinished last_;          // the answer's, once it has ended
  std::vector<ToolCall> ran_;  // in all rounds
  CallRepeats repeats_;
  JoinedText text_;
  JoinedText reasoning_;
  Figures figures_;
  int num_delivered_ = 0;  // token ids
  int rounds_ = 0;
  bool cancelled_ = false;
  bool is_out_of_time_ = false;
  bool is_over_ = false;
  asio::steady_timer time_;                                                   // of the whole answer
  const std::shared_ptr<ToolLoopStream> self_{this, [](ToolLoopStream*) {}};  // owns nothing
};

}  // namespace

asio::awaitable<ChatStart> start_tool_loop(ChatModel& model, ToolDesk& desk, asio::any_io_executor executor,
                                           ChatRequest request, ToolTest is_callers) {
  CallRoundParts round{desk,
                       std::move(executor),
                       tools::ToolSet(request.tools.tools),
                       std::move(is_callers),
                       model.token_counter(),
                       model.info().max_context};
  ChatRequest first = request;
  ChatStart start = co_await model.start_chat(std::move(first));
  if (std::holds_alternative<ChatRejection>(start)) co_return start;
  auto inner = std::get<std::unique_ptr<ChatStream>>(std::move(start));
  LoopParts parts{model, std::move(request), std::make_shared<const CallRoundParts>(std::move(round))};
  co_return std::make_unique<ToolLoopStream>(std::move(parts), std::move(inner));
}

}  // namespace parley::orchestration::turn
