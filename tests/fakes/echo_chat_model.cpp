#include "tests/fakes/echo_chat_model.h"

#include <algorithm>
#include <sstream>
#include <stdexcept>
#include <string_view>
#include <utility>

#include <boost/asio/redirect_error.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/use_awaitable.hpp>

#include "tests/fakes/scripted_calls.h"

namespace parley::tests::fakes {
namespace {

namespace asio = boost::asio;
namespace turn = orchestration::turn;
using std::chrono::milliseconds;

struct Script {
  std::vector<std::string> pieces;
  Deltas deltas;  // in their place, where there are any
  std::string stop_reason = "stop";
  milliseconds wait{0};
  milliseconds pause{0};
  bool fail = false;
  bool fail_hard = false;
  std::optional<turn::ChatRejection> rejection;
};

turn::ChatRejection rejection(turn::ChatRejection::Kind kind, const std::string& message) {
  turn::ChatRejection result;
  result.kind = kind;
  result.message = message;
  return result;
}

void obey(Script& script, const std::string& word, std::istringstream& words) {
  int number = 0;
  if (word == "!tokens" && words >> number) {
    for (int i = 0; i < number; ++i) script.pieces.push_back("w" + std::to_string(i) + " ");
  } else if (word == "!wait" && words >> number) {
    script.wait = milliseconds(number);
  } else if (word == "!pause" && words >> number) {
    script.pause = milliseconds(number);
  } else if (word == "!fail") {
    script.fail = true;
  } else if (word == "!throw") {
    script.fail_hard = true;
  } else if (word == "!queue_full") {
    script.rejection = rejection(turn::ChatRejection::Kind::queue_full,
                                 "The server is busy: 256 requests are waiting already.");
  } else if (word == "!too_long") {
    script.rejection = rejection(turn::ChatRejection::Kind::prompt_too_long,
                                 "The prompt has 9000 tokens, but the model takes at most 4096.");
  } else if (word == "!loading") {
    script.rejection =
        rejection(turn::ChatRejection::Kind::model_loading, "The model is still being loaded.");
  } else if (word == "!stopping") {
    script.rejection = rejection(turn::ChatRejection::Kind::shutting_down, "The server is shutting down.");
  }
}

void cut_at_stop(Script& script, const turn::GenerationOptions& options) {
  std::string text;
  for (std::size_t i = 0; i < script.pieces.size(); ++i) {
    text += script.pieces[i];
    for (const std::string& stop : options.stop) {
      const std::size_t at = text.find(stop);
      if (at == std::string::npos) continue;
      const std::size_t begin = text.size() - script.pieces[i].size();
      script.pieces[i].resize(at > begin ? at - begin : 0);
      script.pieces.resize(i + 1);
      return;
    }
  }
}

// What the request wants called, or the script in the message calls; empty: an answer in words.
Deltas calling(const std::string& text, const turn::ToolOffer& offer) {
  if (offer.tools.empty() || offer.choice == turn::ToolChoice::none) return {};
  for (const char* directive : {"!call", "!think", "!say", "!broken"}) {
    if (text.starts_with(directive)) return scripted_calls(text, offer);
  }
  if (offer.choice == turn::ToolChoice::automatic) return {};
  const std::string& first = offer.tools.front()->spec().name;
  return scripted_calls("!call " + (offer.choice == turn::ToolChoice::named ? offer.named : first), offer);
}

bool calls_a_tool(const Deltas& deltas) {
  return std::any_of(deltas.begin(), deltas.end(), [](const auto& delta) { return !delta.calls.empty(); });
}

Script script_of(const std::string& text, const turn::GenerationOptions& options) {
  Script script;
  constexpr std::string_view kVerbatim = "!verbatim ";
  if (text.starts_with(kVerbatim)) {
    script.pieces = cut_in_pieces(std::string_view(text).substr(kVerbatim.size()));
    return script;
  }
  std::istringstream words(text);
  for (std::string word; words >> word;) {
    if (word.starts_with('!')) {
      obey(script, word, words);
    } else {
      script.pieces.push_back(script.pieces.empty() ? word : " " + word);
    }
  }
  cut_at_stop(script, options);
  const auto limit = static_cast<std::size_t>(options.max_tokens);
  if (limit > 0 && script.pieces.size() > limit) {
    script.pieces.resize(limit);
    script.stop_reason = "length";
  }
  return script;
}

turn::ScoredToken score(const std::string& piece, int num_logprobs) {
  turn::ScoredToken token;
  token.bytes = piece;
  token.logprob = -0.5f;
  for (int k = 0; k < num_logprobs; ++k)
    token.top.emplace_back("t" + std::to_string(k), -0.5f - static_cast<float>(k));
  return token;
}

class EchoStream : public turn::ChatStream {
 public:
  EchoStream(const asio::any_io_executor& executor, Script script, int num_logprobs,
             std::shared_ptr<EchoCounters> counters)
      : script_(std::move(script)),
        num_logprobs_(num_logprobs),
        counters_(std::move(counters)),
        timer_(executor) {
    ++counters_->num_alive;
  }
  ~EchoStream() override {
    --counters_->num_alive;
    if (!ended_ && !cancelled_) ++counters_->num_cancelled;
  }

  int left_out_turns() const override { return 0; }
  std::optional<std::vector<std::int32_t>> continued_ids() const override { return std::nullopt; }

  asio::awaitable<turn::ChatEvent> next() override {
    boost::system::error_code ignored;
    timer_.expires_after(next_ == 0 ? script_.wait + script_.pause : script_.pause);
    if (!cancelled_) co_await timer_.async_wait(asio::redirect_error(asio::use_awaitable, ignored));
    if (next_ == 1 && script_.fail_hard) throw std::runtime_error("broken on purpose");
    const bool failed = next_ == 1 && script_.fail;
    if (cancelled_ || failed || next_ == size()) co_return finish(failed);
    co_return take();
  }

  void cancel() override {
    if (!std::exchange(cancelled_, true)) ++counters_->num_cancelled;
    timer_.cancel();
  }

 private:
  std::size_t size() const { return script_.deltas.empty() ? script_.pieces.size() : script_.deltas.size(); }

  turn::ChatDelta take() {
    if (!script_.deltas.empty()) return script_.deltas[next_++];
    turn::ChatDelta delta;
    delta.text = script_.pieces[next_];
    delta.token_ids.push_back(static_cast<std::int32_t>(next_));
    if (num_logprobs_ >= 0) delta.scores.push_back(score(delta.text, num_logprobs_));
    ++next_;
    return delta;
  }

  turn::ChatFinished finish(bool failed) {
    ended_ = true;
    if (!cancelled_) ++counters_->num_finished;
    turn::ChatFinished finished;
    finished.stop_reason = cancelled_ ? "stopped" : script_.stop_reason;
    if (failed) finished.error = "The model failed on purpose.";
    finished.usage.prompt_tokens = 9;
    finished.usage.cached_tokens = 4;
    finished.usage.completion_tokens = static_cast<int>(next_);
    finished.timings.first_token_ms = 1;
    finished.timings.total_ms = 2;
    finished.timings.tokens_per_second = 100;
    return finished;
  }

  Script script_;
  int num_logprobs_;
  std::shared_ptr<EchoCounters> counters_;  // the test's, which may end first
  asio::steady_timer timer_;
  std::size_t next_ = 0;
  bool cancelled_ = false;
  bool ended_ = false;
};

class EchoModel : public turn::ChatModel {
 public:
  EchoModel(asio::any_io_executor executor, std::shared_ptr<EchoCounters> counters,
            std::shared_ptr<EchoRequests> seen)
      : executor_(std::move(executor)), counters_(std::move(counters)), seen_(std::move(seen)) {
    info_.name = "echo";
    info_.architecture = "llama";
    info_.quantisation = "Q4_1";
    info_.file_bytes = 1'000'000;
    info_.max_context = 4096;
  }

  const turn::ModelInfo& info() const override { return info_; }
  turn::TokenCounter token_counter() const override { return turn::rough_token_count; }

  asio::awaitable<turn::ChatStart> start_chat(turn::ChatRequest request) override {
    if (seen_ != nullptr) seen_->chat = request;
    Script script;
    script.deltas = calling(request.messages.back().text, request.tools);
    if (calls_a_tool(script.deltas)) script.stop_reason = "tool_calls";
    if (script.deltas.empty()) script = script_of(request.messages.back().text, request.options);
    co_return start(std::move(script), request.options);
  }

  asio::awaitable<turn::ChatStart> start_completion(turn::CompletionRequest request) override {
    if (seen_ != nullptr) seen_->completion = request;
    const auto* text = std::get_if<std::string>(&request.prompt);
    Script script = script_of(text != nullptr ? *text : "!tokens 3", request.options);
    co_return start(std::move(script), request.options);
  }

 private:
  turn::ChatStart start(Script script, const turn::GenerationOptions& options) {
    if (script.rejection) return *script.rejection;
    return std::make_unique<EchoStream>(executor_, std::move(script), options.num_logprobs, counters_);
  }

  asio::any_io_executor executor_;
  std::shared_ptr<EchoCounters> counters_;  // shared with the streams and the test
  std::shared_ptr<EchoRequests> seen_;
  turn::ModelInfo info_;
};

}  // namespace

std::shared_ptr<turn::ChatModel> make_echo_chat_model(asio::any_io_executor executor,
                                                      std::shared_ptr<EchoCounters> counters,
                                                      std::shared_ptr<EchoRequests> seen) {
  return std::make_shared<EchoModel>(std::move(executor), std::move(counters), std::move(seen));
}

}  // namespace parley::tests::fakes
