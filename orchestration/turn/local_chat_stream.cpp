#include "orchestration/turn/local_chat_stream.h"

#include <algorithm>
#include <cassert>
#include <random>
#include <utility>

#include "orchestration/turn/delta_parts.h"
#include "orchestration/turn/rejection.h"
#include "orchestration/turn/run_blocking.h"

namespace parley::orchestration::turn {
namespace {

namespace asio = boost::asio;
using inference::engine::FinishedRequest;
using inference::engine::GeneratedToken;
using inference::engine::StopReason;

constexpr int kMaxRouterTokens = 256;

bool offers_tool(const ToolOffer& offer, const std::string& name) {
  return std::any_of(offer.tools.begin(), offer.tools.end(),
                     [&name](const auto& tool) { return tool->spec().name == name; });
}

std::uint64_t random_seed() {
  std::random_device device;
  return (std::uint64_t{device()} << 32) | device();
}

}  // namespace

LocalChatStream::LocalChatStream(LocalStreamParts parts)
    : parts_(std::move(parts)), figures_(parts_.arrived) {
  report_.mode = parts_.mode;
  const prompt::Prompt& prompt = parts_.chat.answer.prompt;
  left_out_turns_ = prompt.left_out_turns;
  if (prompt.num_answer_ids > 0) {
    continued_ids_.emplace(prompt.ids.end() - static_cast<std::ptrdiff_t>(prompt.num_answer_ids),
                           prompt.ids.end());
  }
  if (!parts_.options.sampling.seed) parts_.options.sampling.seed = random_seed();
}

std::optional<ChatRejection> LocalChatStream::begin() {
  return parts_.chat.route ? begin_route() : begin_answer(std::move(parts_.chat.answer));
}

std::optional<ChatRejection> LocalChatStream::submit(inference::engine::Request request) {
  auto tokens = std::make_unique<TokenStream>(*parts_.core->parts().engine, parts_.core->executor());
  figures_.begin_run();
  const auto rejection = tokens->submit(std::move(request));
  if (rejection) return rejection_of(*rejection);
  tokens_ = std::move(tokens);
  return std::nullopt;
}

std::optional<ChatRejection> LocalChatStream::begin_route() {
  inference::engine::Request request;
  request.prompt = std::move(parts_.chat.route->prompt.ids);
  request.constraint = std::move(parts_.chat.route->constraint);
  request.sampling.temperature = 0;
  request.max_tokens = kMaxRouterTokens;
  request.stop_ids = parts_.core->parts().tokenizer->special_tokens().stops;
  return submit(std::move(request));
}

inference::engine::Request LocalChatStream::request_of(const PreparedAnswer& answer) const {
  const Sampling& sampling = parts_.options.sampling;
  inference::engine::Request request;
  request.prompt = answer.prompt.ids;
  request.sampling.temperature = sampling.temperature;
  request.sampling.top_k = sampling.top_k;
  request.sampling.top_p = sampling.top_p;
  request.sampling.min_p = sampling.min_p;
  request.sampling.repeat_penalty = sampling.repeat_penalty;
  request.sampling.seed = *sampling.seed;
  if (parts_.options.max_tokens > 0) {
    request.max_tokens = std::max(1, parts_.options.max_tokens - static_cast<int>(delivered_ids_.size()));
  }
  request.stop_ids = answer.stop_ids;
  request.num_logprobs = parts_.options.num_logprobs;
  request.constraint = answer.constraint;
  return request;
}

std::optional<ChatRejection> LocalChatStream::begin_answer(PreparedAnswer answer) {
  if (auto rejection = submit(request_of(answer))) return rejection;
  if (!answer.unenforced.empty()) report_.unenforced = answer.unenforced;
  reader_ = make_reader(answer.reading);
  if (answer.calls_banned && !again_) again_ = std::move(answer);
  return std::nullopt;
}

std::unique_ptr<AnswerReader> LocalChatStream::make_reader(const ReadingPlan& plan) const {
  const LocalModelParts& model = parts_.core->parts();
  AnswerReaderParts reader;
  reader.tokenizer = model.tokenizer.get();
  reader.text = inference::text::make_text_stream(parts_.options.stop);
  reader.scored = parts_.options.num_logprobs >= 0;
  if (plan.is_parsed) {
    calls::ParserOptions options;
    options.tools = plan.tools;
    options.detection = plan.detection;
    options.reasoning = plan.start;
    options.vocabulary = calls::marker_vocabulary(*model.tokenizer);
    reader.parser = calls::make_call_parser(*model.reading.format, std::move(options));
    reader.format = model.reading.format;
    reader.calls = plan.calls;
  }
  return std::make_unique<AnswerReader>(std::move(reader));
}

asio::awaitable<ChatEvent> LocalChatStream::next() {
  assert(!has_ended_);
  if (!reader_ && !finished_) co_await finish_route();
  while (!finished_) {
    TokenBatch batch = co_await tokens_->next();
    ChatDelta delta = take(batch.tokens);
    if (held_) hold(delta);
    if (batch.finished) end_run(std::move(*batch.finished), delta);
    delivered_ids_.insert(delivered_ids_.end(), delta.token_ids.begin(), delta.token_ids.end());
    if (has_content(delta)) co_return delta;
  }
  has_ended_ = true;
  co_return finish();
}

void LocalChatStream::cancel() {
  is_cancelled_ = true;
  tokens_->cancel();
}

asio::awaitable<void> LocalChatStream::finish_route() {
  std::string chosen;
  std::optional<FinishedRequest> result;
  while (!result) {
    TokenBatch batch = co_await tokens_->next();
    result = std::move(batch.finished);
    for (const GeneratedToken& token : batch.tokens) {
      figures_.add_token();
      chosen += parts_.core->parts().tokenizer->token_bytes(token.token_id);
    }
  }
  figures_.end_run(*result, PromptUse::counted);
  if (result->reason == StopReason::failed || result->reason == StopReason::cancelled) {
    finished_ = std::move(result);
    co_return;
  }
  const bool is_tool = offers_tool(parts_.request.tools, chosen);
  report_.router = is_tool ? chosen : std::string(kNoTool);
  if (is_tool) {
    auto work = [this, &chosen] { return prepare_call(chosen); };
    auto prepared = co_await run_blocking(parts_.core->workers(), work);
    if (const auto* rejection = std::get_if<ChatRejection>(&prepared)) co_return fail(rejection->message);
    again_ = std::move(parts_.chat.answer);
    parts_.chat.answer = std::get<PreparedAnswer>(std::move(prepared));
    answered_ = answered_calls(parts_.request.messages);
    if (!answered_.empty()) held_.emplace();
  }
  if (is_cancelled_) {
    result->reason = StopReason::cancelled;
    finished_ = std::move(result);
    co_return;
  }
  left_out_turns_ = parts_.chat.answer.prompt.left_out_turns;
  const auto rejection = begin_answer(std::move(parts_.chat.answer));
  if (rejection) fail(rejection->message);
}

std::variant<PreparedAnswer, ChatRejection> LocalChatStream::prepare_call(const std::string& tool) const {
  ChatRequest request = request_for_call(parts_.request, tool);
  request.left_out_before = left_out_turns_;
  return prepare_answer(*parts_.core, request);
}

ChatDelta LocalChatStream::take(const std::vector<GeneratedToken>& tokens) {
  ChatDelta delta;
  for (const GeneratedToken& token : tokens) {
    if (reader_->want() != AnswerReader::Want::more) break;  // generated before the cancellation took effect
    reader_->take(token, delta);
    figures_.add_token();
    if (reader_->want() != AnswerReader::Want::more) tokens_->cancel();
  }
  return delta;
}

// Shows that a call is being written, once.
void LocalChatStream::hold(ChatDelta& delta) {
  const bool is_first = !has_content(*held_) && has_content(delta);
  append(*held_, std::exchange(delta, ChatDelta()));
  if (is_first) delta.calls.emplace_back(calls::CallPending{});
}

void LocalChatStream::end_run(FinishedRequest result, ChatDelta& delta) {
  report_.constraint_woke += result.constrained_draws;
  const bool is_complete =
      result.reason == StopReason::stop_token || reader_->want() == AnswerReader::Want::end;
  ChatDelta rest;
  reader_->finish(is_complete ? calls::AnswerEnd::complete : calls::AnswerEnd::cut, rest);
  if (held_) {
    append(*held_, std::exchange(rest, ChatDelta()));
    if (!repeats_a_call()) append(delta, *std::exchange(held_, std::nullopt));
  } else if (rest.token_ids.empty() && rest.calls.empty() && rest.reasoning.empty()) {
    rest_text_ = std::move(rest.text);
  } else {
    append(delta, std::move(rest));
  }
  figures_.end_run(result, continues_a_try_ ? PromptUse::counted_before : PromptUse::counted);
  if (!is_to_be_tried_again(result)) {
    held_.reset();
    finished_ = std::move(result);
    return;
  }
  if (const auto rejection = try_again(result, delta)) fail(rejection->message);
}

bool LocalChatStream::is_to_be_tried_again(const FinishedRequest& result) const {
  if (is_second_try_ || is_cancelled_ || result.reason == StopReason::failed || !again_) return false;
  return held_ || (reader_->want() == AnswerReader::Want::again && !reader_->has_calls());
}

bool LocalChatStream::repeats_a_call() const {
  for (const calls::CallEvent& event : held_->calls) {
    const auto* begin = std::get_if<calls::CallBegin>(&event);
    if (begin != nullptr && is_answered(answered_, begin->name, arguments_of(*held_, begin->index)))
      return true;
  }
  return false;
}

std::optional<ChatRejection> LocalChatStream::try_again(const FinishedRequest& result, ChatDelta& delta) {
  is_second_try_ = true;
  PreparedAnswer answer = std::move(*again_);
  if (held_) {
    held_.reset();
    return begin_answer(std::move(answer));
  }
  continues_a_try_ = true;
  const std::vector<std::int32_t> shown = ids_shown(delta);
  if (!shown.empty()) {
    figures_.note_shown(result);
    answer.reading.start = calls::ReasoningStart::closed;
    answer.prompt.ids.insert(answer.prompt.ids.end(), shown.begin(), shown.end());
  }
  answer.reading.detection = calls::CallDetection::off;
  answer.reading.tools.clear();
  if (answer.calls_banned) answer.constraint = std::move(answer.calls_banned);
  return begin_answer(std::move(answer));
}

// Prose before the call, behind which the second try goes on; ids that waited with the call are made anew.
std::vector<std::int32_t> LocalChatStream::ids_shown(ChatDelta& delta) const {
  for (const std::int32_t id : reader_->ids_of_shown_rest()) {
    delta.token_ids.push_back(id);
    if (parts_.options.num_logprobs < 0) continue;
    delta.scores.emplace_back();
    delta.scores.back().token_id = id;
    delta.scores.back().bytes = parts_.core->parts().tokenizer->token_bytes(id);
  }
  std::vector<std::int32_t> ids = delivered_ids_;
  ids.insert(ids.end(), delta.token_ids.begin(), delta.token_ids.end());
  return ids;
}

void LocalChatStream::fail(const std::string& sentence) {
  FinishedRequest result;
  result.reason = StopReason::failed;
  result.error = sentence;
  finished_ = std::move(result);
  reader_.reset();
}

ChatFinished LocalChatStream::finish() {
  ChatFinished result;
  result.text = std::move(rest_text_);
  name_reason(result);
  result.usage = figures_.usage();
  result.timings = figures_.timings(*finished_);
  result.queued = figures_.queued();
  result.tool_report = std::move(report_);
  return result;
}

void LocalChatStream::name_reason(ChatFinished& result) const {
  using Want = AnswerReader::Want;
  const bool is_over =
      reader_ && (reader_->want() == Want::end || (reader_->want() == Want::again && !is_cancelled_));
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
  if (is_over) {
    result.stop_reason = "stop";
    result.error.clear();
  }
  if (reader_ && reader_->has_calls() && result.stop_reason == "stop") result.stop_reason = "tool_calls";
}

}  // namespace parley::orchestration::turn
