#include "orchestration/turn/local_chat_stream.h"

#include <cassert>
#include <utility>

namespace parley::orchestration::turn {

namespace asio = boost::asio;
using inference::engine::GeneratedToken;
using inference::engine::StopReason;

asio::awaitable<ChatEvent> LocalChatStream::next() {
  assert(!ended_);
  while (!finished_) {
    TokenBatch batch = co_await parts_.tokens->next();
    finished_ = std::move(batch.finished);
    ChatDelta delta = take(batch.tokens);
    if (!delta.token_ids.empty()) co_return delta;
  }
  ended_ = true;
  co_return finish();
}

ChatDelta LocalChatStream::take(const std::vector<GeneratedToken>& tokens) {
  ChatDelta delta;
  for (const GeneratedToken& token : tokens) {
    if (parts_.text->matched_stop()) break;  // generated before the cancellation took effect
    take(token, delta);
  }
  return delta;
}

void LocalChatStream::take(const GeneratedToken& token, ChatDelta& delta) {
  // The name of a special token is no text of the answer.
  if (!parts_.tokenizer->is_special(token.token_id)) {
    delta.text += parts_.text->push(parts_.tokenizer->token_bytes(token.token_id));
  }
  delta.token_ids.push_back(token.token_id);
  if (parts_.scored) delta.scores.push_back(score(token));
  ++num_delivered_;
  if (parts_.text->matched_stop()) parts_.tokens->cancel();
}

ScoredToken LocalChatStream::score(const GeneratedToken& token) const {
  ScoredToken result;
  result.token_id = token.token_id;
  result.bytes = parts_.tokenizer->token_bytes(token.token_id);
  result.logprob = token.logprob;
  for (const auto& candidate : token.top) {
    result.top.emplace_back(parts_.tokenizer->token_bytes(candidate.token_id), candidate.logprob);
  }
  return result;
}

ChatFinished LocalChatStream::finish() {
  ChatFinished result;
  const bool complete = finished_->reason == StopReason::stop_token;
  result.text = complete ? parts_.text->finish() : parts_.text->finish_cut();
  switch (finished_->reason) {
    case StopReason::stop_token:
      result.stop_reason = "stop";
      break;
    case StopReason::max_tokens:
    case StopReason::context_end:
      result.stop_reason = "length";
      break;
    case StopReason::cancelled:
      result.stop_reason = "stopped";
      break;
    case StopReason::failed:
      result.error = finished_->error.empty() ? "The model failed." : finished_->error;
      break;
  }
  // What the engine did afterwards does not matter: it was told to stop, or failed on tokens nobody wanted.
  if (parts_.text->matched_stop()) {
    result.stop_reason = "stop";
    result.error.clear();
  }
  result.usage.prompt_tokens = finished_->prompt_tokens;
  result.usage.cached_tokens = finished_->cached_tokens;
  result.usage.completion_tokens = num_delivered_;
  result.timings = timings();
  result.queued = finished_->queued;
  return result;
}

sessions::Timings LocalChatStream::timings() const {
  using Millis = std::chrono::duration<double, std::milli>;
  sessions::Timings result;
  if (finished_->completion_tokens > 0) {
    result.first_token_ms = Millis(parts_.before_submit + finished_->first_token).count();
  }
  result.total_ms = Millis(parts_.before_submit + finished_->total).count();
  const std::chrono::duration<double> decoding = finished_->total - finished_->first_token;
  if (finished_->completion_tokens > 1 && decoding.count() > 0) {
    result.tokens_per_second = (finished_->completion_tokens - 1) / decoding.count();
  }
  return result;
}

}  // namespace parley::orchestration::turn
